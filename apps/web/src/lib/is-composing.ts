/** Whether a key belongs to an input method. Safari ends a composition before its key event, which has the code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
