import type { GridController } from "../grid-controller.ts";

/** A pointer that has rested for so long is not about to click. */
const POINTER_REST_MS = 800;

/**
 * Rows don't move by themselves while the pointer moves above them or is pressed: a click would reach another record than
 * the one that the user aimed at.
 */
export function holdRows({ host, window }: GridController): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const clear = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
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
  host.addEventListener("pointermove", onPointer);
  host.addEventListener("pointerdown", onPointer, true);
  host.addEventListener("pointerleave", onUp);
  document.addEventListener("pointerup", onUp, true);
  document.addEventListener("pointercancel", onUp, true);
  return () => {
    release();
    host.removeEventListener("pointermove", onPointer);
    host.removeEventListener("pointerdown", onPointer, true);
    host.removeEventListener("pointerleave", onUp);
    document.removeEventListener("pointerup", onUp, true);
    document.removeEventListener("pointercancel", onUp, true);
  };
}
