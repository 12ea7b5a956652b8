import type { Refusal } from "../../../shared/protocol/errors.ts";

/** What the frame around a grid shows of its row list. One atom per row list, moved once per tick. */
export interface RowListStatus {
  phase: "loading" | "ready" | "resyncing" | "refused";
  /** Why the rows can't be read, while they are refused. */
  refusal: Refusal | null;
  /** Rows to scroll over: displaced ones included, waiting ones not. */
  rowCount: number;
  /** How many records match now, as far as known; an estimate unless `totalExact`. */
  total: number;
  totalExact: boolean;
  /** Records that belong here and are not shown yet: "3 new ↑". */
  waiting: number;
  /** Shown records that carry a mark. */
  displaced: number;
}
