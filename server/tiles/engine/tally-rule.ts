import type { RecordPredicate } from "../../../shared/filter/matches.ts";
import { isNumeric } from "../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import type { Table } from "../../../shared/model/model.ts";
import type { MeasureQuery } from "../plan/tile-query.ts";
import { extremeOf } from "./extreme.ts";
import { fieldOf } from "./read-tile-query.ts";
import type { TallyRule } from "./tally.ts";
import { countRuleOf } from "./value-counts.ts";

const POSTGRES_SCALE_DEFAULT = 2;

/** How records count for a measure: `bounds` are those of its buckets. */
export function tallyRule(
  query: MeasureQuery,
  table: Table,
  matches: RecordPredicate | null,
  bounds: readonly number[] | null,
): TallyRule {
  const field = fieldOf(table, query.field);
  const kind = field && kindOfType[field.type];
  const { op } = query;
  const isExtreme = op === "min" || op === "max";
  const scale = kind === "decimal" ? (field?.scale ?? POSTGRES_SCALE_DEFAULT) : 0;
  const counted = field && kind && { name: field.name, kind, scale };
  const counts = counted ? countRuleOf(op, counted, query.percentile) : null;
  const timeField = query.time && fieldOf(table, query.time.field);
  return {
    matches,
    sums: kind !== null && isNumeric(kind) && !counts ? (field?.name ?? null) : null,
    extreme: field && kind && isExtreme ? extremeOf(field.name, kind, op) : null,
    scale,
    counts,
    group: query.group,
    time:
      timeField && bounds
        ? { field: timeField.name, isDate: kindOfType[timeField.type] === "date", bounds }
        : null,
  };
}
