import type { GridController } from "../grid-controller.ts";

/** A pointer that has rested for so long is not about to click. */
const POINTER_REST_MS = 800;

/**
 * Says when rows don't move by themselves: while somebody types, or a cell is being edited, because the keys that lead on from there are
 * meant for the rows as they are; and while the pointer moves above them or is pressed, because a click would reach another record than the
 * one that the user aimed at.
 */
export function holdRows({ host, window, keys, editors }: GridController): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isPointed = false;
  const update = () => window.hold(isPointed || keys.isTyping() || editors.isOpen);
  const clear = () => clearTimeout(timer);
  const release = () => {
    clear();
    isPointed = false;
    update();
  };
  const onPointer = ({ type, buttons }: PointerEvent) => {
    clear();
    isPointed = true;
    update();
    const isPressed = type === "pointerdown" || buttons !== 0;
    if (!isPressed) timer = setTimeout(release, POINTER_REST_MS);
  };
  const onUp = () => {
    if (!isPointed) return;
    clear();
    timer = setTimeout(release, POINTER_REST_MS);
  };
  const listening = new AbortController();
  const { signal } = listening;
  host.addEventListener("pointermove", onPointer, { signal });
  host.addEventListener("pointerdown", onPointer, { capture: true, signal });
  host.addEventListener("pointerleave", onUp, { signal });
  document.addEventListener("pointerup", onUp, { capture: true, signal });
  document.addEventListener("pointercancel", onUp, { capture: true, signal });
  const stops = [keys.subscribe(update), editors.subscribe(update), () => listening.abort()];
  update();
  return () => {
    for (const stop of stops) stop();
    clear();
    window.hold(false);
  };
}
