import { explain } from "../../shared/error-texts/explain.ts";
import { averageToText, toDecimal } from "../../shared/filter/decimal.ts";
import type { Json, ValueKind } from "../../shared/filter/filter.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { type Field, findField, type Table, zoneOf } from "../../shared/model/model.ts";
import { isGroupable, isMeasurable, type SummaryOp } from "../../shared/model/view/summary-ops.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  SUMMARY_MAX_GROUPS,
  type Summary,
  type SummaryCall,
} from "../../shared/protocol/summary.ts";
import { readableTable, requireKnownFields } from "../policy/authorize.ts";
import type { SharedReads } from "../store/shared-reads.ts";
import { readMeasures } from "../store/tiles/read-measures.ts";
import { labelSource, readLabels } from "./read-labels.ts";
import { isTimeless, type ReadDeps, wholeFilter } from "./read-page.ts";

/**
 * Counts, sums and other measures over the records that the reader may see, as one value or by the values of a field.
 * Hidden fields are neither measured nor grouped by.
 */
export async function readSummary(
  deps: ReadDeps & { scans: SharedReads },
  subject: Subject,
  call: SummaryCall,
): Promise<Summary> {
  const model = deps.model();
  const { table, scope } = readableTable(subject, model, call.table);
  const { by, zone = zoneOf(model) } = call;
  const group = known(table, scope, call.group, (kind) => isGroupable(kind, by), "group");
  const measures = call.measures.map(({ op, field: name }) => ({
    op,
    field: known(table, scope, name, (kind) => isMeasurable(op, kind), "measure"),
  }));
  const request = {
    filter: wholeFilter({ ...call, zone }, table, scope, subject),
    measures,
    group: group && {
      field: group,
      by,
      labels: (by === undefined && labelSource(model, subject, group)) || undefined,
    },
    zone,
    maxGroups: SUMMARY_MAX_GROUPS + 1,
  };
  // Readers with the same scope and view share the scan: the bound filter says what may be counted.
  const key = JSON.stringify([model.version, table.name, request]);
  const { rows, ...position } = await deps.scans.run(key, () =>
    readMeasures(deps.database.kysely, table, request),
  );
  const [whole] = rows;
  const count = measures.findIndex(({ op }) => op === "count");
  if (!group && whole && count >= 0 && isTimeless(call)) {
    const atLeast = Number(whole.values[count]);
    deps.indexes?.storeCount(table, request, { ...position, atLeast, isWhole: true });
  }
  const listed = rows.slice(0, SUMMARY_MAX_GROUPS).map(({ key, values }) => ({
    key,
    values: measures.map(({ op, field }, index) => inWireForm(op, field, values[index] ?? null)),
  }));
  const labelled = group !== null && by === undefined;
  const labelOf = labelled
    ? await readLabels(
        deps,
        subject,
        group,
        listed.map(({ key }) => key),
      )
    : (key: Json) => String(key ?? "");
  return {
    rows: listed.map(({ key, values }) => {
      return { key, label: labelOf(key), value: values[0] ?? null, values };
    }),
    more: rows.length > listed.length,
    ...position,
  };
}

/** Exact decimals, and integers beyond 2^53, as text. */
function inWireForm(op: SummaryOp, field: Field | null, value: Json): Json {
  if (op === "sum") {
    const isWhole = field !== null && kindOfType[field.type] === "integer";
    return isWhole && value !== null && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (op !== "avg" || !Array.isArray(value)) return value;
  const [sum = null, count] = value;
  const total = toDecimal(sum);
  // NaN and the infinities are their own average.
  return total ? averageToText(total, Number(count)) : sum;
}

function known(
  table: Table,
  scope: Scope,
  name: string | undefined,
  fits: (kind: ValueKind) => boolean,
  at: string,
): Field | null {
  if (name === undefined) return null;
  requireKnownFields(scope, [name]);
  const field = findField(table, name) as Field;
  if (fits(kindOfType[field.type])) return field;
  throw new Refusal(
    "invalid_request",
    { at, field: name },
    explain("record.unfit", { field: field.label }),
  );
}
