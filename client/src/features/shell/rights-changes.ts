import { findTable } from "../../../../shared/model/model.ts";
import type { AccountData } from "../../state/account.ts";

const NAMED_MAX = 4;

/**
 * What another role or other grants mean to whoever has this page open, in sentences; null where
 * nothing of that kind has changed. A new version of the model is no matter of rights.
 */
export function describeRightsChange(before: AccountData, after: AccountData): string | null {
  const [was, is] = [before.session.user, after.session.user];
  if (was.id !== is.id || before.model.version !== after.model.version) return null;
  const lost = visibleItems(before).filter((item) => !visibleItems(after).includes(item));
  const gained = visibleItems(after).filter((item) => !visibleItems(before).includes(item));
  const sentences = [
    was.role !== is.role && `Your role is now ${is.roleName}.`,
    lost.length > 0 && `You may no longer see ${joinLabels(lost, before)}.`,
    gained.length > 0 && `You may now see ${joinLabels(gained, after)}.`,
  ].filter((sentence) => typeof sentence === "string");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** What a person sees: tables, and `table\nfield`. */
function visibleItems({ model }: AccountData): string[] {
  return model.tables.flatMap(({ name, fields }) => [
    name,
    ...fields.map((field) => `${name}\n${field.name}`),
  ]);
}

/** A table says all of its fields; others are named one by one, up to a few. */
function joinLabels(items: readonly string[], { model }: AccountData): string {
  const tables = new Set(items.filter((item) => !item.includes("\n")));
  const listedItems = items.filter((item) => tables.has(item) || !tables.has(tableOf(item)));
  const names = listedItems.map((item) => {
    const [name = "", field] = item.split("\n");
    const table = findTable(model, name);
    const label = table?.fields.find((one) => one.name === field)?.label;
    return label ? `${label} of ${table?.label}` : (table?.label ?? name);
  });
  const more = names.length - NAMED_MAX;
  const shown = more > 0 ? [...names.slice(0, NAMED_MAX), `${more} more`] : names;
  return shown.length < 2
    ? (shown[0] ?? "")
    : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

const tableOf = (item: string) => item.split("\n")[0] ?? "";
