import type { GridController } from "../grid-controller.ts";

/** A pointer that has rested for so long is not about to click. */
const POINTER_REST_MS = 800;

/**
 * Rows don't move by themselves while the pointer moves above them or is pressed: a click would reach another record than
 * the one that the user aimed at.
 */
export function holdRows({ host, window }: GridController): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const clear = () => clearTimeout(timer);
  const release = () => {
    clear();
    window.hold(false);
  };
  const onPointer = ({ type, buttons }: PointerEvent) => {
    clear();
    window.hold(true);
    const isPressed = type === "pointerdown" || buttons !== 0;
    if (!isPressed) timer = setTimeout(release, POINTER_REST_MS);
  };
  const onUp = () => {
    if (!window.isHeld) return;
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
  return () => {
    listening.abort();
    release();
  };
}
