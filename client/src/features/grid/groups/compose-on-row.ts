import type { GridController } from "../grid-controller.ts";

/**
 * An input over a row, for what an input method composes there. It is no part of the row, which may be drawn anew meanwhile.
 * Its text is passed on once it is composed, also when the focus leaves before.
 */
export function composeOn(
  { host }: GridController,
  row: HTMLElement,
  onText: (text: string) => void,
): void {
  const box = row.getBoundingClientRect();
  const outer = host.getBoundingClientRect();
  const input = document.createElement("input");
  // The keys of an editor are not those of the grid.
  input.className = "wf-editor wf-compose";
  input.ariaLabel = row.textContent;
  Object.assign(input.style, {
    top: `${box.top - outer.top}px`,
    left: `${box.left - outer.left}px`,
    width: `${Math.min(box.width, outer.width)}px`,
    height: `${box.height}px`,
  });
  let isDone = false;
  const finish = (isLeft: boolean) => {
    if (isDone) return;
    isDone = true;
    const text = input.value;
    if (!isLeft) row.focus({ preventScroll: true });
    input.remove();
    if (text !== "") onText(text);
  };
  input.addEventListener("compositionend", () => finish(false));
  input.addEventListener("input", (event) => {
    if (event instanceof InputEvent && !event.isComposing) finish(false);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") finish(false);
  });
  input.addEventListener("blur", () => finish(true));
  host.append(input);
  input.focus({ preventScroll: true });
}
