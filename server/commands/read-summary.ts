import type { Filter, Json, ValueKind } from "../../shared/filter/filter.ts";
import {
  type Field,
  findField,
  findTable,
  kindOfType,
  type Table,
} from "../../shared/model/model.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { SummaryCall, SummaryRow } from "../../shared/protocol/summary.ts";
import { requireKnownFields, requireScope } from "../policy/authorize.ts";
import { readDisplayTexts, readSummary as readStoredSummary } from "../store/summaries.ts";
import { listUsers } from "../store/users/users.ts";
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
  const rows = await readStoredSummary(deps.database, table, {
    filter: all([...(scope.filter ? [scope.filter] : []), ...own]),
    group,
    field,
    op: call.measure.op,
    maxGroups: deps.limits.PAGE_MAX_RECORDS,
  });
  const labels = await labelsOf(
    deps,
    subject,
    group,
    rows.map(({ key }) => key),
  );
  return rows.map(({ key, value }) => ({ key, label: labels(key), value }));
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

/** The label of a key: an option's label, a user's name, the display value of the linked record. */
async function labelsOf(
  deps: ReadDeps,
  subject: Subject,
  group: Field | null,
  keys: Json[],
): Promise<(key: Json) => string> {
  const names = group ? await namesOf(deps, subject, group, keys.map(String)) : new Map();
  return (key) => (key === null ? "" : (names.get(String(key)) ?? String(key)));
}

async function namesOf(
  { database, model }: ReadDeps,
  subject: Subject,
  group: Field,
  keys: string[],
): Promise<Map<string, string>> {
  if (group.type === "boolean")
    return new Map([
      ["true", "Yes"],
      ["false", "No"],
    ]);
  if (group.options) return new Map(group.options.map((o) => [o.value, o.label ?? o.value]));
  if (group.type === "person") {
    return new Map((await listUsers(database.kysely)).map(({ id, name }) => [id, name]));
  }
  const target = group.target === undefined ? undefined : findTable(model(), group.target);
  const scope = target && scopeOf(subject, target);
  const display = target && findField(target, target.display);
  if (!target || !scope || !display || !scope.fields.includes(display.name)) return new Map();
  return readDisplayTexts(database, target, keys, { display, filter: scope.filter });
}
