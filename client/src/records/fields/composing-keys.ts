/** The key of an input method, as browsers name it. */
export const COMPOSING_KEY = "Process";
/** Keys of an input method have this code until they have made a character. */
const INPUT_METHOD_KEY_CODE = 229;

/** Whether the key goes to an input method, which composes a text with it, or is a dead key (an accent, for the next letter). */
export function isComposing(event: KeyboardEvent): boolean {
  const { key, keyCode, ctrlKey, metaKey, altKey } = event;
  const isDead = key === "Dead" && (altKey || !(ctrlKey || metaKey));
  return event.isComposing || isDead || key === COMPOSING_KEY || keyCode === INPUT_METHOD_KEY_CODE;
}

/**
 * Keys that an input method takes in a text input are not those of the page: Enter confirms the composed text, and must
 * not store it or lead to another field. Listens before all others.
 */
export function reserveComposingKeys(): void {
  window.addEventListener(
    "keydown",
    (event) => {
      const { target } = event;
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isText && isComposing(event)) event.stopImmediatePropagation();
    },
    true,
  );
}
