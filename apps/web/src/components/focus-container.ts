/** Hands the focus on from what is about to go away to the nearest place around it that takes the focus. */
export function focusContainer({ currentTarget }: { currentTarget: Element }): void {
  currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
