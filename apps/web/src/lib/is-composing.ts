/** The key code of keys that an input method handles. */
const INPUT_METHOD_KEY_CODE = 229;

/**
 * Whether a key belongs to an input method that composes text, and not to the page. Safari ends the composition before the
 * event of the key that ends it, which only the key code tells then.
 */
export function isComposing({ isComposing: isInComposition, keyCode }: KeyboardEvent): boolean {
  return isInComposition || keyCode === INPUT_METHOD_KEY_CODE;
}
