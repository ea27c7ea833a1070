/** The key code of keys that an input method handles. */
const INPUT_METHOD_KEY_CODE = 229;

/** Whether a key belongs to an input method. Safari ends a composition before its key event, which has the code. */
export function isComposing({ isComposing: isInComposition, keyCode }: KeyboardEvent): boolean {
  return isInComposition || keyCode === INPUT_METHOD_KEY_CODE;
}
