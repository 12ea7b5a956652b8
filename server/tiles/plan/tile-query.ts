import { createHash } from "node:crypto";
import { bindFilter, usesClock, usesCurrentUser } from "../../../shared/filter/bind-filter.ts";
import type { Filter, FilterContext, SortKey } from "../../../shared/filter/filter.ts";
import type { Bucket, MeasureOp } from "../../../shared/model/wallboard/tile-parts.ts";

/**
 * What is asked of a table, apart from how it is shown. Equal questions are answered once, whoever
 * asks: the key says whether two are equal, and holds the row rights of the scope they are asked in.
 * Questions travel between servers as JSON.
 */

interface QueryBase {
  /** The model by whose names it is asked. */
  model: number;
  table: string;
  /** What the reader may see at all, bound; null: every record. */
  scope: Filter | null;
  /** What the tile asks for; its clock is not bound yet. */
  filter: Filter | null;
  /** Whom `$me` stands for; only where the filter speaks of a person. */
  me: FilterContext["me"];
  zone: string;
}

/** Figures over the records that match, by group and by time. */
export interface MeasureQuery extends QueryBase {
  kind: "figures";
  op: MeasureOp;
  field: string | null;
  percentile: number;
  group: string | null;
  time: { field: string; bucket: Bucket; count: number } | null;
  /** Where there are more groups than can be kept, only the largest are read and the others joined. */
  largest?: boolean;
}

/** The first records in an order. */
export interface TopRecordsQuery extends QueryBase {
  kind: "top";
  sort: SortKey[];
  limit: number;
  fields: string[];
}

/** The last changes of the records that match; of those to hidden fields alone nothing is told. */
export interface RecentChangesQuery extends QueryBase {
  kind: "recent";
  limit: number;
  /** What is told of a record and of a change. */
  fields: string[];
  /** What the reader may see. */
  visible: string[];
}

export type TileQuery = MeasureQuery | TopRecordsQuery | RecentChangesQuery;

export function queryKey(query: TileQuery): string {
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 24);
}

/** The whole condition at one instant. */
export function conditionAt({ scope, filter, me, zone }: QueryBase, now: string): Filter | null {
  const own = filter ? [bindFilter(filter, { me, now, zone })] : [];
  const parts = [...(scope ? [scope] : []), ...own];
  return parts.length < 2 ? (parts[0] ?? null) : { and: parts };
}

/** Whether the answer moves without any write. */
export function isClocked({ filter }: QueryBase): boolean {
  return filter !== null && usesClock(filter);
}

/** The person, only where a filter means another thing for each. */
export function boundSubject(filter: Filter | null, me: FilterContext["me"]): FilterContext["me"] {
  return filter && usesCurrentUser(filter) ? me : null;
}

const incrementalOps: ReadonlySet<MeasureOp> = new Set(["count", "sum", "avg", "min", "max"]);

/** Whether the answer can be kept by the changes, exactly, until the clock alone changes it. */
export function canUpdateIncrementally(query: TileQuery): boolean {
  return query.kind !== "figures" || incrementalOps.has(query.op);
}
