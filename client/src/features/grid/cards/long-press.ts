import type { GridController } from "../grid-controller.ts";

const LONG_PRESS_MS = 500;
/** A finger that moves further scrolls. */
const MOVE_MAX_PX = 10;

/** A long press on a card selects it. Further taps extend the selection. */
export function longPress({ host, api }: GridController): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let from = { x: 0, y: 0 };
  /** The finger is still down on the card that was selected: lifting it must not open the card. */
  let hasSelected = false;
  const cancel = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const onDown = ({ target, pointerType, clientX, clientY }: PointerEvent) => {
    cancel();
    hasSelected = false;
    const row = target instanceof Element ? target.closest("[row-id]") : null;
    const id = row?.getAttribute("row-id");
    if (!id || pointerType !== "touch") return;
    from = { x: clientX, y: clientY };
    timer = setTimeout(() => {
      hasSelected = true;
      api.getRowNode(id)?.setSelected(true);
    }, LONG_PRESS_MS);
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > MOVE_MAX_PX) cancel();
  };
  const onClick = (event: MouseEvent) => {
    if (hasSelected) event.stopPropagation();
    hasSelected = false;
  };
  const onMenu = (event: MouseEvent) => (timer || hasSelected) && event.preventDefault();
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  host.addEventListener("pointerdown", onDown, options);
  host.addEventListener("pointermove", onMove, options);
  host.addEventListener("pointerup", cancel, options);
  host.addEventListener("pointercancel", cancel, options);
  host.addEventListener("contextmenu", onMenu, options);
  host.addEventListener("click", onClick, options);
  return () => {
    listening.abort();
    cancel();
  };
}
