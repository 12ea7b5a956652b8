import { createHash } from "node:crypto";
import { bindFilter, usesClock, usesCurrentUser } from "../../../shared/filter/bind-filter.ts";
import type { Filter, FilterContext, SortKey } from "../../../shared/filter/filter.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import type { Bucket, MeasureOp } from "../../../shared/model/wallboard/tile-parts.ts";

import type { LabelSource } from "./wallboard-plan.ts";

/**
 * A query of a table, apart from its presentation. Equal queries are evaluated once, whoever subscribes: the
 * key says whether two are equal, and includes the row rights of their scope. Queries travel between servers
 * as JSON.
 */

interface QueryBase {
  /** The model whose names it uses. */
  model: number;
  table: string;
  /** What the reader may see at all, bound; null: every record. */
  scope: Filter | null;
  /** The tile's own filter; its clock is not bound yet. */
  filter: Filter | null;
  /** The user that `$me` means; only if the filter depends on the user. */
  me: FilterContext["me"];
  zone: string;
}

/** Values over the matching records, by group and by time. */
export interface MeasureQuery extends QueryBase {
  kind: "figures";
  op: MeasureOp;
  field: string | null;
  percentile: number;
  group: string | null;
  time: { field: string; bucket: Bucket; count: number } | null;
  /** If there are more groups than can be updated, only the largest are read and the others combined. */
  largest?: boolean;
}

/** The first records in an order. */
export interface TopRecordsQuery extends QueryBase {
  kind: "top";
  sort: SortKey[];
  /** Of the links and users in the order: they are ordered by their labels, which memory does not hold. */
  labels: Record<string, Exclude<LabelSource, { kind: "options" }>>;
  textOrder: TextOrder;
  limit: number;
  fields: string[];
}

/** The last changes of the matching records; changes to hidden fields alone are not shown. */
export interface RecentChangesQuery extends QueryBase {
  kind: "recent";
  limit: number;
  /** What is shown of a record and of a change. */
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

/** Whether the result changes without any write. */
export function isClocked({ filter }: QueryBase): boolean {
  return filter !== null && usesClock(filter);
}

/** The user, only if a filter means something else for each. */
export function boundSubject(filter: Filter | null, me: FilterContext["me"]): FilterContext["me"] {
  return filter && usesCurrentUser(filter) ? me : null;
}

const incrementalOps: ReadonlySet<MeasureOp> = new Set(["count", "sum", "avg", "min", "max"]);

/** Whether its order compares labels from a table; null: from the users. */
export function isOrderedByLabelsOf(query: TileQuery, table: string | null): boolean {
  if (query.kind !== "top") return false;
  return Object.values(query.labels).some((source) =>
    source.kind === "people" ? table === null : source.table === table,
  );
}

/**
 * Whether the result can be updated from changes, exactly, until the clock alone changes it. A percentile, and a number of distinct values, may be,
 * too: that depends on the values that are found (server/tiles/engine/value-counts.ts).
 */
export function canUpdateIncrementally(query: TileQuery): boolean {
  if (query.kind === "top") return Object.keys(query.labels).length === 0;
  return query.kind !== "figures" || incrementalOps.has(query.op);
}
