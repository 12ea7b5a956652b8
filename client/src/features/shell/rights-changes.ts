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
  const lost = visibleItems(before).filter((item) => !visibleItems(after).includes(item));
  const gained = visibleItems(after).filter((item) => !visibleItems(before).includes(item));
  const sentences = [
    was.role !== is.role && messages.roleChanged({ role: is.roleName }),
    lost.length > 0 && messages.lostAccess({ items: joinLabels(lost, before) }),
    gained.length > 0 && messages.gainedAccess({ items: joinLabels(gained, after) }),
  ].filter((sentence) => typeof sentence === "string");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** The visible tables as `table`, and their fields as `table\nfield`. */
function visibleItems({ model }: AccountData): string[] {
  return model.tables.flatMap(({ name, fields }) => [
    name,
    ...fields.map((field) => `${name}\n${field.name}`),
  ]);
}

/** Labels of tables, and of fields whose table is not listed; at most `NAMED_MAX` of them. */
function joinLabels(items: readonly string[], { model }: AccountData): string {
  const tables = new Set(items.filter((item) => !item.includes("\n")));
  const listedItems = items.filter((item) => tables.has(item) || !tables.has(tableOf(item)));
  const names = listedItems.map((item) => {
    const [name = "", field] = item.split("\n");
    const table = findTable(model, name);
    const label = table?.fields.find((one) => one.name === field)?.label;
    return label && table
      ? messages.fieldOfTable({ field: label, table: table.label })
      : (table?.label ?? name);
  });
  const more = names.length - NAMED_MAX;
  return formatList(
    more > 0 ? [...names.slice(0, NAMED_MAX), messages.moreItems({ count: more })] : names,
  );
}

const tableOf = (item: string) => item.split("\n")[0] ?? "";
