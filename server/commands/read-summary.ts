import { averageToText, toDecimal } from "../../shared/filter/decimal.ts";
import type { Filter, Json, ValueKind } from "../../shared/filter/filter.ts";
import {
  type Field,
  findField,
  findTable,
  kindOfType,
  type Table,
} from "../../shared/model/model.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { SummaryCall, SummaryRow } from "../../shared/protocol/summary.ts";
import { requireKnownFields, requireScope } from "../policy/authorize.ts";
import { type GroupRow, readGroups } from "../store/tiles/read-groups.ts";
import { readLabels } from "./read-labels.ts";
import { type ReadDeps, readFilter } from "./read-page.ts";

const groupable = new Set<ValueKind>(["text", "integer", "decimal", "boolean", "date"]);
const numeric = new Set<ValueKind>(["integer", "decimal"]);
const ordered = new Set<ValueKind>([...numeric, "date", "timestamp"]);

/**
 * Counts, sums, averages and extremes over the records that the reader may see, as one value or by the values
 * of a field. Hidden fields are neither measured nor grouped by.
 */
export async function readSummary(
  deps: ReadDeps,
  subject: Subject,
  call: SummaryCall,
): Promise<SummaryRow[]> {
  const table = findTable(deps.model(), call.table) as Table;
  const scope = requireScope(subject, table);
  const group = known(table, scope, call.group, groupable, "group");
  const fit = call.measure.op === "min" || call.measure.op === "max" ? ordered : numeric;
  const field = known(table, scope, call.measure.field, fit, "measure");
  const { filter, zone } = call;
  const own = filter ? [readFilter({ filter, zone }, table, scope, subject)] : [];
  const { op } = call.measure;
  const groups = await readGroups(deps.database.kysely, table, {
    filter: all([...(scope.filter ? [scope.filter] : []), ...own]),
    op,
    field,
    group,
    time: null,
    percentile: 0,
    maxGroups: deps.limits.PAGE_MAX_RECORDS,
    sorted: true,
  });
  const isWhole = field !== null && kindOfType[field.type] === "integer";
  const rows = groups.map((row) => ({ key: row.key, value: measureOf(row, op, isWhole) }));
  if (!group) return rows.map((row) => ({ ...row, label: "" }));
  const labelOf = await readLabels(
    deps,
    subject,
    group,
    rows.map(({ key }) => key),
  );
  return rows.map(({ key, value }) => ({ key, label: labelOf(key), value }));
}

/** In wire form: exact decimals, and integers beyond 2^53, as text. */
function measureOf(
  { n, filled, sum, value }: GroupRow,
  op: SummaryCall["measure"]["op"],
  isWhole: boolean,
): Json {
  if (op === "count") return n;
  if (op === "min" || op === "max") return value;
  if (sum === null) return null;
  if (op === "sum") return isWhole && Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
  const total = toDecimal(sum);
  // NaN and the infinities are their own average.
  return total ? averageToText(total, filled) : sum;
}

function known(
  table: Table,
  scope: Scope,
  name: string | undefined,
  kinds: ReadonlySet<ValueKind>,
  at: string,
): Field | null {
  if (name === undefined) return null;
  requireKnownFields(scope, [name]);
  const field = findField(table, name) as Field;
  if (kinds.has(kindOfType[field.type])) return field;
  throw new Refusal(
    "invalid_request",
    { at, field: name },
    `${field.label} can't be used for that.`,
  );
}

function all(parts: Filter[]): Filter | null {
  return parts.length < 2 ? (parts[0] ?? null) : { and: parts };
}
