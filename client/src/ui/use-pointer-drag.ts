import { useEffect, useState } from "react";
import { useLatest } from "./use-latest.ts";

/**
 * What a pointer drags, from when it is set until the pointer is released. Escape cancels, and nothing is dropped. A drop
 * may set other state.
 */
export function usePointerDrag<T>(on: {
  move(drag: T, event: PointerEvent): T;
  drop(drag: T, event: PointerEvent): void;
}) {
  const [drag, setDrag] = useState<T | null>(null);
  const latest = useLatest(on);
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const move = (event: PointerEvent) => setDrag((was) => was && latest.current.move(was, event));
    const end = (event: PointerEvent) =>
      setDrag((was) => {
        if (was) queueMicrotask(() => latest.current.drop(was, event));
        return null;
      });
    const cancel = () => setDrag(null);
    const key = (event: KeyboardEvent) => event.key === "Escape" && cancel();
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", cancel, { signal });
    addEventListener("keydown", key, { signal });
    return () => listening.abort();
  }, [isDragging]);
  return [drag, setDrag] as const;
}
