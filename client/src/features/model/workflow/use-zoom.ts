import { clamp } from "@mantine/hooks";
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useState,
} from "react";
import { screenScale } from "../../../ui/screen-scale.ts";

const SMALLEST_SCALE = 0.3;
const LARGEST_SCALE = 2;
const STEP = 1.25;
/** The maximum height of the frame, including its border. */
const FRAME_PX = 620;
const FRAME_SHARE = 0.6;
const frameHeight = () => Math.max(FRAME_PX, innerHeight * FRAME_SHARE);
export const frameMaxHeight = `max(${FRAME_PX}px, ${FRAME_SHARE * 100}vh)`;
const FRAME_BORDERS_PX = 2;

export interface Zoom {
  scale: number;
  /** Whether the whole diagram is visible. */
  isFitted: boolean;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  /** Handlers of the frame: dragging its background moves the diagram. */
  pan(event: PointerEvent<HTMLElement>): void;
  /** Keys in the diagram: + and - zoom, 0 fits. The arrow keys scroll, as in any frame. */
  onKey(event: KeyboardEvent<HTMLElement>): void;
}

/** The scale of the diagram: fitted into its frame until the user zooms with buttons or Ctrl and the wheel. */
export function useZoom(
  frame: RefObject<HTMLElement | null>,
  size: { width: number; height: number },
  width: number,
): Zoom {
  const [chosen, setChosen] = useState<number | null>(null);
  const wide = (width - FRAME_BORDERS_PX) / size.width;
  const high = (frameHeight() - FRAME_BORDERS_PX) / size.height;
  const fitting = width > 0 ? Math.min(screenScale(), wide, high) : 1;
  const fitted = Math.max(SMALLEST_SCALE, fitting);
  const scale = chosen ?? fitted;
  const zoomBy = useCallback(
    (factor: number) =>
      setChosen((now) => clamp((now ?? fitted) * factor, SMALLEST_SCALE, LARGEST_SCALE)),
    [fitted],
  );
  useEffect(() => {
    const { current } = frame;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? STEP : 1 / STEP);
    };
    // React's own wheel listeners can't keep the page from zooming
    current?.addEventListener("wheel", onWheel, { passive: false });
    return () => current?.removeEventListener("wheel", onWheel);
  }, [frame, zoomBy]);
  return {
    scale,
    isFitted: chosen === null,
    zoomIn: () => zoomBy(STEP),
    zoomOut: () => zoomBy(1 / STEP),
    fit: () => setChosen(null),
    pan: (event) => startPan(event, frame.current),
    onKey: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "+" || event.key === "=") zoomBy(STEP);
      else if (event.key === "-") zoomBy(1 / STEP);
      else if (event.key === "0") setChosen(null);
      else return;
      event.preventDefault();
    },
  };
}

/** Pans while the pointer drags the background, not a state or a transition. */
function startPan(event: PointerEvent<HTMLElement>, frame: HTMLElement | null): void {
  const isGround = event.target instanceof Element && !event.target.closest("button");
  if (!frame || !isGround || event.button !== 0) return;
  const from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
  const move = (to: globalThis.PointerEvent) => {
    frame.scrollTo(from.x - to.clientX, from.y - to.clientY);
  };
  const panning = new AbortController();
  const { signal } = panning;
  const end = () => panning.abort();
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
}
