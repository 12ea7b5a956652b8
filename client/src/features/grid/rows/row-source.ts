import type { IDatasource, IGetRowsParams } from "ag-grid-community";
import { Refusal } from "../../../../../shared/protocol/errors.ts";
import { systemClock } from "../../../sync/clock.ts";
import { backoffMs } from "../../../sync/connection/backoff.ts";
import type { RecordWindow } from "../../../sync/window/record-window.ts";

/** The record window must hold at least twice the rows that the grid caches. */
export const BLOCK_ROWS = 100;
export const MAX_CACHED_BLOCKS = 10;
/** A page that did not come through is asked for again, later each time. */
const RETRY = { baseMs: 1_000, maxMs: 60_000 };

/** The grid's rows, taken from the record window page by page as they are scrolled to. */
export function rowSource(window: RecordWindow, onFailure: (error: unknown) => void): IDatasource {
  let isDestroyed = false;
  const read = async (params: IGetRowsParams, attempt: number): Promise<void> => {
    if (isDestroyed || window.isClosed) return;
    try {
      const { rows, rowCount } = await window.getRows(params.startRow, params.endRow);
      params.successCallback(rows, rowCount);
    } catch (error) {
      if (isDestroyed || window.isClosed) return;
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
