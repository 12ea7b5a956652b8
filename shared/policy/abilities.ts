import type { z } from "zod";
import { englishText, wordingOf } from "../error-texts/explain.ts";
import { fieldsOf } from "../filter/bind-filter.ts";
import { describeFilter } from "../filter/describe.ts";
import { findField, type Model, type Table } from "../model/model.ts";
import { isReadOnly } from "../model/recorded.ts";
import { demandsOf } from "../model/view/prefill.ts";
import type { abilitiesSchema, tableAbilitiesSchema } from "./abilities-schema.ts";
import { type Grant, grantOn, mayAcknowledge, mayOwnViews } from "./role.ts";
import { bindRights, type Subject, scopeOf } from "./scope.ts";

/** What a user may do on a table, to disable controls: the server authorises again, record by record. */
export type TableAbilities = z.infer<typeof tableAbilitiesSchema>;
export type Abilities = z.infer<typeof abilitiesSchema>;

/** Nobody writes computed or recorded fields. */
function isFilled(table: Table, name: string): boolean {
  const field = findField(table, name);
  return field === undefined || !isReadOnly(field);
}

/** The abilities of a user under a model: by the same grants that the server enforces. */
export function abilitiesOf(subject: Subject, model: Model): Abilities {
  const tables: Record<string, TableAbilities> = {};
  for (const table of model.tables) {
    const grant = grantOn(subject.role, table);
    const scope = scopeOf(subject, table);
    if (!scope) continue;
    const fields = [...scope.fields];
    const writable =
      grant.update === true ? fields : grant.update ? (grant.update.fields ?? fields) : [];
    tables[table.name] = {
      read: true,
      ...(scope.filter !== null && { hidesRows: true }),
      create: grant.create ?? false,
      ...only("createOnly", grant.create && demandedBy(grant.read), subject, { table, fields }),
      update: fields.filter((name) => writable.includes(name) && isFilled(table, name)),
      ...only("updateOnly", grant.update, subject, { table, fields }),
      delete: Boolean(grant.delete),
      ...only("deleteOnly", grant.delete, subject, { table, fields }),
      transitions: grant.transitions ?? false,
      history: grant.history ?? false,
      export: grant.export ?? false,
      comment: grant.comment ?? false,
      views: mayOwnViews(subject.role, table),
      acknowledge: mayAcknowledge(subject.role, table),
      fields,
    };
  }
  return { rights: subject.role.rights, tables };
}

/**
 * What the right to read asks of every record by a single value: nobody adds what they may not read. Its other conditions say which records there
 * are besides, which those without the right to see them must not learn.
 */
function demandedBy(right: Grant["read"]): Grant["read"] {
  const demands = typeof right === "object" && right.filter ? demandsOf(right.filter) : [];
  return demands.length > 0 && { filter: { and: demands } };
}

/** The row filter of a right, bound and in words, if there is one and all its fields are visible. */
function only(
  ability: "createOnly" | "updateOnly" | "deleteOnly",
  right: Grant["read"] | Grant["update"] | Grant["delete"],
  subject: Subject,
  { table, fields: visibleFields }: { table: Table; fields: readonly string[] },
): Pick<TableAbilities, "createOnly" | "updateOnly" | "deleteOnly"> {
  const rows = typeof right === "object" ? right.filter : undefined;
  if (!rows || ![...fieldsOf(rows)].every((name) => name === "id" || visibleFields.includes(name)))
    return {};
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  const described = describeFilter(rows, labelOf);
  const when = englishText(described);
  return { [ability]: { filter: bindRights(rows, subject), when, ...wordingOf(described) } };
}
