import type { GridApi, IDatasource, IGetRowsParams } from "ag-grid-community";
import { Refusal } from "../../../../../shared/protocol/errors.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { systemClock } from "../../../sync/clock.ts";
import { backoffMs } from "../../../sync/connection/backoff.ts";
import type { GridController } from "../grid-controller.ts";
import { drawnRowCount } from "../range/row-map.ts";

/** The row list must hold at least twice the rows that the grid caches. */
export const BLOCK_ROWS = 100;
export const MAX_CACHED_BLOCKS = 10;
/** A page that did not come through is asked for again, later each time. */
const RETRY = { baseMs: 1_000, maxMs: 60_000 };

type Rows = Pick<GridController, "rowList" | "groups">;

/**
 * The grid's rows, taken from the row list page by page as they are scrolled to. The headings of groups are rows
 * without data.
 */
export function rowSource(grid: Rows, onFailure: (error: unknown) => void): IDatasource {
  const { rowList } = grid;
  let isDestroyed = false;
  const read = async (params: IGetRowsParams, attempt: number): Promise<void> => {
    if (isDestroyed || rowList.isClosed) return;
    try {
      const rows = await drawnRows(grid, params.startRow, params.endRow);
      params.successCallback(rows, drawnRowCount(grid));
    } catch (error) {
      if (isDestroyed || rowList.isClosed) return;
      onFailure(error);
      const isRetryable = !(error instanceof Refusal) || error.code !== "invalid_request";
      if (isRetryable) {
        setTimeout(() => void read(params, attempt + 1), backoffMs(attempt, RETRY, systemClock));
      }
    }
  };
  return {
    rowCount: undefined,
    getRows: (params) => void read(params, 0),
    destroy: () => {
      isDestroyed = true;
    },
  };
}

type Blocks = Pick<
  GridApi<RecordView>,
  "getCacheBlockState" | "getDisplayedRowCount" | "refreshInfiniteCache" | "setRowCount"
>;

/**
 * Sets how many rows the grid draws. AG Grid never asks for the rest of a block that was loaded when there were fewer rows, as when a page shows
 * records that the feed has not brought yet: all blocks are asked for again then, which are loaded but for that rest.
 */
export function setDrawnRows(api: Blocks, count: number): void {
  const before = api.getDisplayedRowCount();
  api.setRowCount(count, true);
  if (count <= before || before % BLOCK_ROWS === 0) return;
  const last = api.getCacheBlockState()?.[Math.floor(before / BLOCK_ROWS)];
  if (last?.pageStatus === "loaded") api.refreshInfiniteCache();
}

/** The rows [start, end) of the grid, headings as undefined. Those that are loaded may move headings. */
async function drawnRows(
  { rowList, groups }: Rows,
  start: number,
  end: number,
): Promise<(RecordView | undefined)[]> {
  const first = groups.rowAtIndex(start);
  const { rows } = await rowList.getRows(first, groups.rowAtIndex(end));
  groups.addRows(first, first + rows.length);
  const drawn: (RecordView | undefined)[] = [];
  for (let index = start; index < end; index += 1) {
    const isHeading = groups.at(index) !== undefined;
    const record = isHeading ? undefined : rowList.at(groups.rowAtIndex(index));
    if (!record && !isHeading) break;
    drawn.push(record);
  }
  return drawn;
}
