import { COMPOSING_KEY } from "../../../records/fields/composing-keys.ts";
import type { ExtraPlace } from "../groups/place-headings.ts";

/** The cell that the next key is meant for. Without a record it is a row that is still being read, or an extra row. */
export interface Cursor {
  record: string | null;
  row: number;
  field: string;
  /** The heading or the row for new records that has the focus. */
  extra?: ExtraPlace;
}

/** User input for a cell that has not appeared yet. */
export type QueuedInput =
  | { kind: "key"; init: KeyboardEventInit & { key: string } }
  | { kind: "paste"; data: readonly (readonly [type: string, text: string])[] }
  /** A cell was clicked. */
  | { kind: "go"; cursor: Cursor };

/** Keys with a modifier that are commands of the grid; all others are the browser's or the shell's. */
const withModifier = /^(Enter|Home|End|Backspace|Delete|Arrow\w+|[adryz ;:])$/;
const plain =
  /^(Enter|Tab|Escape|Backspace|Delete|F2|Home|End|PageUp|PageDown|F10|ContextMenu|Arrow\w+)$/;

/** Whether a key does something in the grid, so that it has to reach the right cell. */
export function isQueued(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (isForCheckbox(event)) return false;
  if (ctrlKey || metaKey) return withModifier.test(key.length === 1 ? key.toLowerCase() : key);
  return key.length === 1 || plain.test(key) || (altKey && key === "Enter");
}

/** Space on the checkbox of a row is the browser's. */
function isForCheckbox({ key, target }: KeyboardEvent): boolean {
  return key === " " && target instanceof HTMLInputElement && target.type === "checkbox";
}

export function queuedKey(event: KeyboardEvent): QueuedInput {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, keyCode } = event;
  const modifiers = { ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
  return { kind: "key", init: { key, code, keyCode, ...modifiers } };
}

export function queuedPaste(clipboard: DataTransfer): QueuedInput {
  return { kind: "paste", data: clipboard.types.map((type) => [type, clipboard.getData(type)]) };
}

/** Text for a cell, wherever it was composed: the key of an input method opens the editor for it. */
export function queuedText(text: string): QueuedInput[] {
  const opens: QueuedInput = {
    kind: "key",
    init: { key: COMPOSING_KEY, bubbles: true, cancelable: true },
  };
  return [opens, { kind: "paste", data: [["text/plain", text]] }];
}

/** Replays user input on the focused element. */
export function replay(input: Exclude<QueuedInput, { kind: "go" }>): void {
  const target = document.activeElement;
  if (!target) return;
  const text = insertedText(input);
  if (isTextInput(target) && text !== null) document.execCommand("insertText", false, text);
  else if (input.kind === "paste") target.dispatchEvent(pasteEvent(input.data));
  else if (target.dispatchEvent(new KeyboardEvent("keydown", input.init)) && isTextInput(target))
    editText(target, input.init.key);
}

/** What was typed, as far as it is text. */
export function textOf(inputs: readonly QueuedInput[]): string {
  return inputs
    .map((input) => insertedText(input) ?? " ")
    .join("")
    .trim();
}

/** Whether typed characters go into a text input now. */
export function isInTextInput(): boolean {
  return document.activeElement !== null && isTextInput(document.activeElement);
}

export function insertedText(input: QueuedInput): string | null {
  if (input.kind === "go") return null;
  if (input.kind === "paste") {
    return input.data.find(([type]) => type === "text/plain")?.[1] ?? null;
  }
  const { key, ctrlKey, metaKey } = input.init;
  return key.length === 1 && !ctrlKey && !metaKey ? key : null;
}

function pasteEvent(data: readonly (readonly [string, string])[]): ClipboardEvent {
  const clipboardData = new DataTransfer();
  for (const [type, text] of data) clipboardData.setData(type, text);
  return new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

function isTextInput(element: Element): element is TextInput {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** The effect of a key on a text, which browsers have only for real key presses. */
function editText(input: TextInput, key: string): void {
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
  const to = {
    ArrowLeft: start === end ? start - 1 : start,
    ArrowRight: start === end ? end + 1 : end,
    Home: 0,
    End: input.value.length,
  }[key];
  if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else if (key === "Enter" && input instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, "\n");
  else if (to !== undefined) input.setSelectionRange(Math.max(0, to), Math.max(0, to));
}
