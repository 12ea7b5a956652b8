import { setPending } from "../../../transport/rest/pending-work.ts";
import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "./grid-focus.ts";

/** How long the user may return to a displaced row before the rows are realigned. */
const REALIGN_DELAY_MS = 2_500;
/** A pointer that has rested for so long is not about to click. */
const POINTER_REST_MS = 800;

/**
 * Says when rows don't move by themselves: while somebody types, or a cell is being edited, because the keys that lead on from there are
 * meant for the rows as they are; and while the pointer moves above them or is pressed, because a click would reach another record than the
 * one that the user aimed at.
 */
export function holdRows({ host, rowList, keys, editors }: GridController): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isPointed = false;
  const update = () => rowList.hold(isPointed || keys.isTyping() || editors.isOpen);
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
    rowList.hold(false);
  };
}

/**
 * Displaced rows stay in place while the user works in them. When the user has gone on to another row and is not typing,
 * the rows are realigned. For users who only read, they stay until the button below the table is clicked.
 */
export function realignRows(grid: GridController): () => void {
  const { api, editors, rowList } = grid;
  /** Rows that the user was in, until they are known to be in their place. */
  const visited = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const realignLater = () => {
    stop();
    timer = setTimeout(realign, REALIGN_DELAY_MS);
  };
  /** An edit that is not yet confirmed may still move its row, so it is looked at again. */
  const realign = () => {
    timer = null;
    const current = focusedRecord(grid);
    const left = [...visited].filter((id) => id !== current);
    for (const id of left) if (!isPendingOrDisplaced(id)) visited.delete(id);
    const remaining = left.filter((id) => visited.has(id));
    if (remaining.length === 0) return;
    const isDisplaced = remaining.some((id) => rowList.get(id)?.mark);
    if (isDisplaced && !rowList.isHeld && !rowList.isAligning) rowList.realign({ isAsked: false });
    realignLater();
  };
  const publish = () => {
    const current = focusedRecord(grid);
    const isToMove = (id: string) => id !== current && Boolean(rowList.get(id)?.mark);
    setPending("rows", [...visited].filter(isToMove).length);
  };
  const isPendingOrDisplaced = (id: string) => {
    const view = rowList.indexOf(id) < 0 ? undefined : rowList.get(id);
    return view !== undefined && (view.mark !== null || view.confirmed !== null);
  };
  const visit = (record: string | undefined) => {
    if (record !== undefined) visited.add(record);
    publish();
    realignLater();
  };
  // The grid reports the focus late, when it may have moved on. A row that the user has edited counts as one that they
  // were in.
  api.addEventListener("cellFocused", () => visit(focusedRecord(grid)));
  const stops = [
    editors.subscribe(() => visit(editors.current()?.record)),
    rowList.onRows(publish),
  ];
  return () => {
    for (const end of [...stops, stop]) end();
    setPending("rows", 0);
  };
}

function focusedRecord(grid: GridController): string | undefined {
  const at = focusedCell(grid);
  return at ? recordInRow(grid, at.row)?.id : undefined;
}
