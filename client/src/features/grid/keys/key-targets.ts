const textInput = 'input:not([type="checkbox"]), textarea';
/** Inputs for text, dialogs and menus. */
const takingKeys = `${textInput}, [role="dialog"] *, [role="menu"], [role="menu"] *`;

export function isInEditor(target: EventTarget | null): boolean {
  const editors = ".wf-editor, .wf-editor-popup, .wf-open";
  return target instanceof Element && target.closest(editors) !== null;
}

/** Whether the keys that are pressed next are meant for this element, outside the rows and the editors of their cells. */
export function takesKeys(target: EventTarget | null, rows?: HTMLElement): target is HTMLElement {
  const isOutside = target instanceof HTMLElement && !rows?.contains(target) && !isInEditor(target);
  return isOutside && target.matches(takingKeys);
}

/**
 * The input for text that the user has gone to. The grid focuses a cell that it draws late: until the user does more than
 * type, the input gets the focus back. A button does not: it may be what gives the focus to a cell.
 */
export class ReachedInput {
  #element: HTMLElement | null = null;

  /** Whether the focus is in such an input now. */
  reach(target: EventTarget | null, rows?: HTMLElement): boolean {
    if (!takesKeys(target, rows)) return false;
    this.#element = target.matches(textInput) ? target : null;
    return true;
  }

  giveBack(): boolean {
    if (!this.#element?.isConnected) return false;
    this.#element.focus({ preventScroll: true });
    return true;
  }

  forget(): void {
    this.#element = null;
  }
}

export function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
