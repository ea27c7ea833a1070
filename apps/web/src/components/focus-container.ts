/** Moves the focus from an element that is about to be removed to its nearest focusable container. */
export function focusContainer({ currentTarget }: { currentTarget: Element }): void {
  currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
