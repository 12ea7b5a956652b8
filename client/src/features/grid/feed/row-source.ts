import type { IDatasource, IGetRowsParams } from "ag-grid-community";
import type { RecordWindow } from "../../../sync/window/record-window.ts";

/** Twice the window of what the grid keeps must fit into what the record window holds. */
export const BLOCK_ROWS = 100;
export const BLOCKS_KEPT = 10;
/** A page that did not come through is asked for again after this. */
const RETRY_MS = 3_000;

/** The grid's rows, taken from the record window page by page as they are scrolled to. */
export function rowSource(window: RecordWindow, onFailure: (error: unknown) => void): IDatasource {
  const read = async (params: IGetRowsParams): Promise<void> => {
    try {
      const { rows, rowCount } = await window.getRows(params.startRow, params.endRow);
      params.successCallback(rows, rowCount);
    } catch (error) {
      onFailure(error);
      setTimeout(() => void read(params), RETRY_MS);
    }
  };
  return { rowCount: undefined, getRows: (params) => void read(params) };
}
