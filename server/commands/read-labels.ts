import type { Json } from "../../shared/filter/filter.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { readDisplayTexts } from "../store/display-texts.ts";
import type { LabelSource, LabelSources } from "../store/filter-columns.ts";
import { listUsers } from "../store/users/users.ts";
import type { ReadDeps } from "./read-page.ts";

/**
 * The labels of values of a field: of options, of users, and of the linked records that the reader may read. The
 * value itself where there is no label; empty for empty values.
 */
export async function readLabels(
  deps: ReadDeps,
  subject: Subject,
  field: Field,
  values: readonly Json[],
): Promise<(value: Json) => string> {
  const ids = [...new Set(values.filter((value) => value !== null).map(String))];
  const labels = ids.length > 0 ? await labelsOf(deps, subject, field, ids) : new Map();
  return (value) => (value === null ? "" : (labels.get(String(value)) ?? String(value)));
}

async function labelsOf(
  { database, model }: ReadDeps,
  subject: Subject,
  field: Field,
  ids: string[],
): Promise<Map<string, string>> {
  if (field.type === "boolean")
    return new Map([
      ["true", "Yes"],
      ["false", "No"],
    ]);
  if (field.options) return new Map(field.options.map((o) => [o.value, o.label ?? o.value]));
  if (field.type === "person") {
    return new Map((await listUsers(database.kysely)).map(({ id, name }) => [id, name]));
  }
  const source = labelSource(model(), subject, field);
  if (source?.kind !== "records") return new Map();
  return readDisplayTexts(database, source.table, ids, source);
}

/** Where the labels of a link or user field are, as far as somebody may see them; null if there are none for them. */
export function labelSource(model: Model, subject: Subject, field: Field): LabelSource | null {
  if (field.type === "person") return { kind: "users" };
  const table = field.target === undefined ? undefined : findTable(model, field.target);
  const scope = table && scopeOf(subject, table);
  const display = table && findField(table, table.display);
  if (!table || !scope || !display || !scope.fields.includes(display.name)) return null;
  return { kind: "records", table, display, filter: scope.filter };
}

/** The sources of labels for fields of a table. */
export function labelSources(
  model: Model,
  subject: Subject,
  table: Table,
  fields: readonly string[],
): LabelSources {
  const sources: Record<string, LabelSource> = Object.create(null);
  for (const name of fields) {
    const field = findField(table, name);
    const source = field && labelSource(model, subject, field);
    if (source) sources[name] = source;
  }
  return sources;
}
