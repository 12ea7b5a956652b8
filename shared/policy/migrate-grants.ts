import { inputsOf } from "../model/expression/expression-of.ts";
import { resolveTable } from "../model/former-names.ts";
import { isTaken, migratedName, migrateRowFilter } from "../model/migrate-filter.ts";
import {
  type Field,
  idOfField,
  idOfTable,
  logKeyOf,
  type Model,
  type Table,
} from "../model/model.ts";
import { tablePair } from "../model/names-after.ts";
import { removedName } from "../model/removed-names.ts";
import { mapGrant } from "./current-names.ts";
import { type Grant, grantKey, type Role } from "./role.ts";
import { isHidden } from "./scope.ts";

/**
 * Migrates the grants of a role to the next model: a renamed table preserves its grant, and a hidden field
 * stays hidden under any name. Names that still mean the same are unchanged, and hidden names are only added:
 * a server that has not loaded the new model must not show more by these grants. A grant on a removed table
 * or field does not apply to another one that takes its name, and applies again where the table is restored, if
 * `from` has it (removed-names.ts).
 */
export function migrateGrants(grants: Role["grants"], from: Model, to: Model): Role["grants"] {
  const migrated = { ...grants };
  const renamedEntries: [string, Grant][] = [];
  for (const { name } of from.tables) {
    const found = tablePair(name, from, to);
    const key = found && grantKey(grants, found.before);
    if (!found || key === null) continue;
    const { before, after } = found;
    const grant = migrateGrant(grants[key] ?? {}, before, after);
    if (grantKey(grants, after) === key) migrated[key] = grant;
    else {
      delete migrated[key];
      renamedEntries.push([after.name, grant]);
    }
  }
  for (const [key, grant] of Object.entries(migrated)) {
    const storedTable = resolveTable(from, key);
    const isRemoved = !storedTable || !tablePair(storedTable.name, from, to);
    if (key === "*" || !isRemoved || !resolveTable(to, key)) continue;
    delete migrated[key];
    if (storedTable) renamedEntries.push([removedName(idOfTable(storedTable)), grant]);
  }
  return Object.fromEntries([...Object.entries(migrated), ...renamedEntries]);
}

function migrateGrant(grant: Grant, before: Table, after: Table): Grant {
  const migrated = mapGrant(grant, {
    rows: (filter) => migrateRowFilter(filter, before, after),
    writable: (names) =>
      names
        .filter((name) => !isTaken(name, before, after))
        .map((name) => migratedName(name, before, after)),
  });
  const { read } = migrated;
  if (typeof read === "object") migrated.read = { ...read, ...hidden(read.hide, before, after) };
  return migrated;
}

/** A hidden field stays hidden under any name, and so do the values that were made of it, also once they are made of nothing. */
function hidden(hide: string[] | undefined, before: Table, after: Table): { hide?: string[] } {
  if (!hide) return {};
  const counterpart = (field: Field) =>
    before.fields.find((one) => idOfField(one) === idOfField(field));
  const renamed = after.fields.filter((field) => {
    const was = counterpart(field);
    return was && isHidden(was, hide) && !isHidden(field, hide);
  });
  const next = [...hide, ...renamed.map(({ name }) => name)];
  const freed = after.fields.filter((field) => {
    const was = counterpart(field);
    const continues = was && logKeyOf(was) === logKeyOf(field);
    return continues && isConcealed(was, before, hide) && !isConcealed(field, after, next);
  });
  return { hide: [...next, ...freed.map(({ name }) => name)] };
}

/** Whether a field is hidden, or anything that its value is made of. */
function isConcealed(field: Field, table: Table, hide: readonly string[]): boolean {
  return [field, ...inputsOf(field, table)].some((one) => isHidden(one, hide));
}
