import type { IRowNode } from "ag-grid-community";
import { recordTitle } from "../../../../../shared/model/display-text.ts";
import { authorColour } from "../../../records/fields/author-colour.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { unsavedTextsAtom } from "../../../state/unsaved-texts.ts";
import { watchAtom } from "../../../state/watch-atom.ts";
import type { Flash } from "../../../sync/records/flash.ts";
import type { GridController } from "../grid-controller.ts";
import { ChangeAnnouncer } from "../presence/change-announcer.ts";
import { drawnRowCount } from "../range/row-map.ts";
import { keepFocusInRows, preserveFocus } from "./grid-focus.ts";
import { setDrawnRows } from "./row-source.ts";

/** The most new records shown above the rows without scrolling; as cards only one. */
const MANY_NEW_RECORDS = 4;

/**
 * Feeds the grid by hand: touched rows are given to the nodes that show them, a reset asks for the
 * rows again without emptying the screen. React is not involved, whatever the rate of change.
 */
export function subscribeGrid(grid: GridController): () => void {
  const { rowList, api, labels, cells, presence } = grid;
  const announcer = new ChangeAnnouncer({
    field: (name) => grid.fields.get(name)?.label ?? name,
    record: (id) => recordTitle(grid.table, id, rowList.get(id)?.values),
  });
  const showCount = () => {
    const { rowCount, phase, waiting } = rowList.status;
    announcer.setWaiting(waiting);
    // Where nothing is shown nothing can jump: what comes is let in at once.
    const isDue = phase === "ready" && rowCount === 0 && waiting > 0;
    if (isDue && !rowList.isAligning) rowList.realign();
    const drawn = drawnRowCount(grid);
    if (phase !== "loading" && api.getDisplayedRowCount() !== drawn) {
      keepFocusInRows(grid, () => setDrawnRows(api, drawn));
    }
  };
  const paintRange = () => {
    for (const cell of cells.all()) cell.paintRange();
  };
  // Drafts and the status may have been read before this grid was there to hear of them.
  showCreated(grid);
  showCount();
  const stops = [
    rowList.onRows((event) => {
      if (event.kind === "reset") {
        grid.keys.syncCursor();
        grid.groups.realign();
        grid.range.realign();
        preserveFocus(grid, () => api.refreshInfiniteCache());
        showCreated(grid);
        return;
      }
      updateRows(grid, event.records);
      // In a table without rows, the row for new records appears with the first new one.
      if (rowList.status.rowCount === 0) showCount();
      grid.groups.update(event.records);
      for (const flash of event.flashes) showFlash(grid, flash);
      announcer.addFlashes(event.flashes.filter((flash) => isByOthersOnScreen(grid, flash)));
    }),
    watchAtom(rowList.statusAtom, showCount),
    watchAtom(unsavedTextsAtom, (texts) =>
      grid.unreadable.keepListed(new Set(texts.map(({ id }) => id))),
    ),
    grid.groups.onChange((isMoved) => {
      if (!isMoved) return;
      grid.keys.syncCursor();
      showCount();
      showCreated(grid);
      preserveFocus(grid, () => api.refreshInfiniteCache());
    }),
    labels.onArrived(() => {
      for (const cell of cells.all()) cell.paintContent(true);
    }),
    presence.onChange((records) => {
      for (const record of records) {
        for (const cell of cells.ofRecord(record)) cell.paintPresence();
      }
    }),
    grid.session.onTouched(({ records }) => {
      const isGone = (record: string) =>
        (rowList.get(record) ?? { mark: "deleted" }).mark === "deleted";
      grid.range.update(records, isGone);
      deselectDeleted(grid, records);
    }),
    grid.range.onChange((change) => {
      if (change === "cells") paintRange();
    }),
    onModelUpdated(grid, paintRange),
    () => announcer.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A record that was deleted can't be edited or deleted with the ticked ones. */
function deselectDeleted({ api, rowList }: GridController, records: ReadonlySet<string>): void {
  for (const node of api.getSelectedNodes()) {
    const id = node.data?.id ?? "";
    if (records.has(id) && rowList.get(id)?.mark === "deleted") node.setSelected(false);
  }
}

/** Rows were drawn: the edges of the range are where its neighbours are now. */
function onModelUpdated({ api, range }: GridController, paint: () => void): () => void {
  const onUpdated = () => range.isShown && paint();
  api.addEventListener("modelUpdated", onUpdated);
  return () => {
    if (!api.isDestroyed()) api.removeEventListener("modelUpdated", onUpdated);
  };
}

function updateRows(grid: GridController, records: ReadonlySet<string>): void {
  const { api, rowList } = grid;
  const updateNode = (node: IRowNode<RecordView>) => {
    const view = node.id === undefined ? undefined : rowList.get(node.id);
    if (view && records.has(view.id) && node.data !== view) node.updateData(view);
  };
  api.forEachNode(updateNode);
  showCreated(grid);
}

/** A draft that was begun in a group goes there, as after a reload or in another view. */
function placeDraft({ core, editors, groups, table, rowList }: GridController): boolean {
  if (editors.isOpen) return false;
  for (const { id } of rowList.created) {
    const group = core.edits.begunIn(table.name, id);
    const row = group ? groups.endOf(group) : null;
    if (row === null) continue;
    rowList.placeCreated(id, row);
    return true;
  }
  return false;
}

/** The user's own new records are above the rows until the next realignment. */
function showCreated(grid: GridController): void {
  // The rows are drawn anew then, and this is called again.
  if (placeDraft(grid)) return;
  const { api, rowList, host, cards } = grid;
  const { created } = rowList;
  host.toggleAttribute("data-many-new", created.length > (cards ? 1 : MANY_NEW_RECORDS));
  const nodes = created.map((_, row) => api.getPinnedTopRow(row));
  const isSameRows =
    api.getPinnedTopRowCount() === created.length &&
    created.every((view, row) => rowList.rowId(view.id) === nodes[row]?.id);
  // The same rows are renewed in place: an editor that is open in one of them stays open.
  if (!isSameRows) {
    keepFocusInRows(grid, () => api.setGridOption("pinnedTopRowData", [...created]));
  } else
    for (const [row, view] of created.entries())
      if (nodes[row]?.data !== view) nodes[row]?.updateData(view);
}

function isByOthersOnScreen({ cells }: GridController, flash: Flash): boolean {
  return !flash.mine && cells.find(flash.record, flash.field) !== undefined;
}

function showFlash(
  { cells, labels, presence }: GridController,
  { record, field, by, mine }: Flash,
): void {
  if (mine) return;
  const present = presence.colourOf(by.id);
  cells.find(record, field)?.flash(authorColour(labels, by, present));
}
