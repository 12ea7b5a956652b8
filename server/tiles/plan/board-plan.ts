import type { Filter } from "../../../shared/filter/filter.ts";
import type { TileKind } from "../../../shared/model/wallboard/tile.ts";
import type { MeasureOp, Threshold } from "../../../shared/model/wallboard/tile-parts.ts";
import type { ShownBoard, TileState } from "../../../shared/protocol/frame.ts";
import type { MeasureQuery, RecentChangesQuery, TopRecordsQuery } from "./tile-query.ts";

/** Where the words for a key come from. */
export type LabelSource =
  | { kind: "options"; words: Record<string, string> }
  | { kind: "people" }
  /** Records of another table, as far as the reader may see them. */
  | { kind: "records"; table: string; display: string; scope: Filter | null };

/** How a measured field is written. */
export interface MeasureForm {
  op: MeasureOp;
  /** Digits after the point that are kept; 0 for whole numbers. */
  scale: number;
  isWhole: boolean;
}

/** What is to be worked out for one tile. */
export interface TilePlan {
  id: string;
  kind: TileKind;
  /** Nothing is worked out: the reader may not see what it needs, or it can't be meant any more. */
  state?: Extract<TileState, "hidden" | "failed">;
  form: MeasureForm;
  total?: MeasureQuery;
  groups?: MeasureQuery;
  series?: MeasureQuery;
  before?: MeasureQuery;
  whole?: MeasureQuery;
  top?: TopRecordsQuery;
  recent?: RecentChangesQuery;
  /** Words for the keys of the groups. */
  labels?: LabelSource;
  /** What the group without a value is called. */
  emptyLabel?: string;
  /** Words for the values of row tiles, by field. */
  texts?: Record<string, LabelSource>;
  /** What names a record in row tiles; null where the tile does not show it. */
  display?: string | null;
  /** Keys that are shown also without records. */
  always?: string[];
  order?: string[];
  limit?: number;
  target?: number;
  people?: boolean;
  thresholds: Threshold[];
  expectEverySeconds?: number;
  suppressBelow?: number;
}

/**
 * A board as one reader sees it: all that is needed to work it out and to show it, as plain JSON.
 * Readers with equal scenes share one; the key says whether two are equal.
 */
export interface BoardPlan {
  key: string;
  wallboard: string;
  version: number;
  board: ShownBoard;
  tables: string[];
  tiles: TilePlan[];
}
