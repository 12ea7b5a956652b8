import { describeFilter } from "../../../../shared/filter/describe.ts";
import type { ValueLabelOf } from "../../../../shared/filter/describe-operand.ts";
import type { Filter, Json } from "../../../../shared/filter/filter.ts";
import { resolveField } from "../../../../shared/model/former-names.ts";
import { findField, type Model, type Table } from "../../../../shared/model/model.ts";
import { type Grant, grantOn, type Role } from "../../../../shared/policy/role.ts";
import { isHidden, readableFields } from "../../../../shared/policy/scope.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { explanationText } from "../../messages/error-text.ts";
import { formatList } from "../../ui/numbers.ts";

/** What a role may do on one table, in sentences for users. */
interface GrantDescription {
  /** The table's name; `*` means all others. */
  table: string;
  label: string;
  sentences: string[];
}

/** The labels of links and users, where known. */
export type NameOf = (table: Table, field: string, value: Json) => string | undefined;

/**
 * What a role may do, table by table, in plain words, as the table of rights shows it. Tables without a grant of their own are described
 * together.
 */
export function describeRole(
  { grants }: Pick<Role, "grants">,
  model: Model,
  nameOf: NameOf = () => undefined,
): GrantDescription[] {
  const role: Role = { id: "", name: "", rights: [], grants };
  const general = grants["*"] ?? {};
  const own = model.tables
    .map((table) => ({ table, grant: grantOn(role, table) }))
    .filter(({ grant }) => grant !== general && (grant.read || general.read))
    .map(({ table, grant }) => ({
      table: table.name,
      label: table.label,
      sentences: grant.read ? describeGrant(grant, table, nameOf) : [messages.noAccessSentence()],
    }));
  const named = model.tables.some((table) => grantOn(role, table) !== grants["*"]);
  if (!general.read) return own;
  const label = named ? messages.otherTables() : messages.allTables();
  return [...own, { table: "*", label, sentences: describeGrant(general, null, nameOf) }];
}

/** What a grant allows on a table, or on all tables alike; one sentence per right. */
export function describeGrant(grant: Grant, table: Table | null, nameOf: NameOf): string[] {
  if (!grant.read) return [];
  const where = (rows: Grant["delete"]) =>
    typeof rows === "object" && rows.filter && table
      ? rowFilterText(rows.filter, table, nameOf)
      : "";
  const isUnlimited = [grant.read, grant.create, grant.update, grant.delete].every(
    (right) => right === true,
  );
  const rights = isUnlimited
    ? [messages.changesAll()]
    : [
        readText(grant.read, table, where(grant.read)),
        grant.create && messages.addsRecords(),
        grant.update && updateText(grant, table, where(grant.update)),
        grant.delete && deleteText(where(grant.delete)),
      ];
  return [
    ...rights,
    grant.create && grant.createInAnyState && messages.addsInAnyState(),
    transitionsText(grant.transitions, table),
    grant.history && messages.seesHistory(),
    grant.comment && messages.comments(),
    grant.export && messages.exports(),
  ].filter((sentence) => typeof sentence === "string");
}

function rowFilterText(filter: Filter, table: Table, nameOf: NameOf): string {
  const labelOf = (name: string) =>
    name === "id" ? messages.id() : (resolveField(table, name)?.label ?? name);
  const valueLabelOf: ValueLabelOf = (name, value) => {
    const option = findField(table, name)?.options?.find((one) => one.value === value);
    return option?.label ?? nameOf(table, name, value);
  };
  return explanationText(describeFilter(filter, labelOf, valueLabelOf, true));
}

function readText(
  read: NonNullable<Grant["read"]>,
  table: Table | null,
  condition: string,
): string {
  const hide = typeof read === "object" ? (read.hide ?? []) : [];
  const visible = table ? readableFields(table, (field) => !isHidden(field, hide)) : [];
  const hidden = table?.fields.filter(({ name }) => !visible.includes(name)) ?? [];
  const fields = formatList(hidden.map(({ label }) => label));
  if (!condition) return fields ? messages.seesAllWithout({ fields }) : messages.seesAll();
  return fields
    ? messages.seesWhereWithout({ condition, fields })
    : messages.seesWhere({ condition });
}

/** What may be changed: of the fields that are named, those that the role sees. */
function updateText({ read, update }: Grant, table: Table | null, condition: string): string {
  const names = typeof update === "object" ? update.fields : undefined;
  if (!names) {
    return condition ? messages.changesWhere({ condition }) : messages.changesRecords();
  }
  const hide = typeof read === "object" ? (read.hide ?? []) : [];
  const labels = names.flatMap((name) => {
    const field = table && resolveField(table, name);
    return field && isHidden(field, hide) ? [] : [field?.label ?? name];
  });
  if (labels.length === 0) return messages.changesNothing();
  const fields = formatList(labels);
  return condition
    ? messages.changesFieldsWhere({ fields, condition })
    : messages.changesFields({ fields });
}

function deleteText(condition: string): string {
  return condition ? messages.deletesWhere({ condition }) : messages.deletesRecords();
}

function transitionsText(granted: Grant["transitions"], table: Table | null): string | null {
  if (!granted || (table && !table.workflow)) return null;
  if (granted === true) return messages.usesAllTransitions();
  if (granted.length === 0) return null;
  const labelOf = (name: string) =>
    table?.workflow?.transitions.find((one) => one.name === name)?.label ?? name;
  const transitions = granted.map((name) => messages.quoted({ text: labelOf(name) }));
  return messages.usesTransitions({ transitions: formatList(transitions) });
}
