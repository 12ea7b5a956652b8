import type { Json } from "../../shared/filter/filter.ts";
import { type Field, findField, findTable } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { readDisplayTexts } from "../store/display-texts.ts";
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
  const target = field.target === undefined ? undefined : findTable(model(), field.target);
  const scope = target && scopeOf(subject, target);
  const display = target && findField(target, target.display);
  if (!target || !scope || !display || !scope.fields.includes(display.name)) return new Map();
  return readDisplayTexts(database, target, ids, { display, filter: scope.filter });
}
