import type { Filter } from "../../../shared/filter/filter.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import type { TileKind } from "../../../shared/model/wallboard/tile.ts";
import type { MeasureOp, Threshold } from "../../../shared/model/wallboard/tile-parts.ts";
import type { ShownWallboard, TileState } from "../../../shared/protocol/frame.ts";
import type { MeasureQuery, RecentChangesQuery, TopRecordsQuery } from "./tile-query.ts";

/** The source of a key's label. */
export type LabelSource =
  | { kind: "options"; words: Record<string, string> }
  | { kind: "people" }
  /** Records of another table, as far as the reader may see them. */
  | { kind: "records"; table: string; display: string; scope: Filter | null };

/** How a measured field is formatted. */
export interface MeasureForm {
  op: MeasureOp;
  /** Digits after the point; 0 for whole numbers. */
  scale: number;
  isWhole: boolean;
}

/** What is evaluated for one tile. */
export interface TilePlan {
  id: string;
  kind: TileKind;
  /** Nothing is evaluated: the reader may not see what it needs, or it is no longer valid. */
  state?: Extract<TileState, "hidden" | "failed">;
  form: MeasureForm;
  /** How groups are ordered by their labels. */
  textOrder?: TextOrder;
  total?: MeasureQuery;
  groups?: MeasureQuery;
  series?: MeasureQuery;
  before?: MeasureQuery;
  whole?: MeasureQuery;
  top?: TopRecordsQuery;
  recent?: RecentChangesQuery;
  /** Labels of the groups' keys. */
  labels?: LabelSource;
  /** The label of the group without a value. */
  emptyLabel?: string;
  /** Labels of the values of row tiles, by field. */
  texts?: Record<string, LabelSource>;
  /** The display field of row tiles; null if the tile does not show it. */
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
 * A wallboard for one reader: all that is needed to evaluate and to show it, as plain JSON. Readers with equal
 * plans share one; the key says whether two are equal.
 */
export interface WallboardPlan {
  key: string;
  wallboard: string;
  /** Of the wallboard's document; of the model for a wallboard that is derived from it. */
  version: number;
  modelVersion: number;
  board: ShownWallboard;
  tables: string[];
  tiles: TilePlan[];
}
