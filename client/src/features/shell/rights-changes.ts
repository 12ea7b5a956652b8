import { findTable } from "../../../../shared/model/model.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import type { AccountData } from "../../state/account.ts";
import { formatList } from "../../ui/numbers.ts";

const NAMED_MAX = 4;

/**
 * Describes which tables and fields the user gained or lost by a change of role or grants; null if none. Differences
 * between versions of the model are not described.
 */
export function describeRightsChange(before: AccountData, after: AccountData): string | null {
  const [was, is] = [before.session.user, after.session.user];
  if (was.id !== is.id || before.model.version !== after.model.version) return null;
  const [had, has] = [visibleItems(before), visibleItems(after)];
  const lost = [...had].filter((item) => !has.has(item));
  const gained = [...has].filter((item) => !had.has(item));
  const sentences = [
    was.role !== is.role && messages.roleChanged({ role: is.roleName }),
    lost.length > 0 && messages.lostAccess({ items: joinLabels(lost, before) }),
    gained.length > 0 && messages.gainedAccess({ items: joinLabels(gained, after) }),
  ].filter((sentence) => typeof sentence === "string");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** The visible tables as `table`, and their fields as `table\nfield`. */
function visibleItems({ model }: AccountData): Set<string> {
  const items = model.tables.flatMap(({ name, fields }) => [
    name,
    ...fields.map((field) => `${name}\n${field.name}`),
  ]);
  return new Set(items);
}

/** Labels of tables, and of fields whose table is not listed; at most `NAMED_MAX` of them. */
function joinLabels(items: readonly string[], { model }: AccountData): string {
  const tables = new Set(items.filter((item) => !item.includes("\n")));
  const listedItems = items.filter((item) => tables.has(item) || !tables.has(tableOf(item)));
  const names = listedItems.slice(0, NAMED_MAX).map((item) => {
    const [name = "", field] = item.split("\n");
    const table = findTable(model, name);
    const label = table?.fields.find((one) => one.name === field)?.label;
    return label && table
      ? messages.fieldOfTable({ field: label, table: table.label })
      : (table?.label ?? name);
  });
  const more = listedItems.length - NAMED_MAX;
  return formatList(more > 0 ? [...names, messages.moreItems({ count: more })] : names);
}

const tableOf = (item: string) => item.split("\n")[0] ?? "";
