import { findTable } from "../../../../shared/model/model.ts";
import type { Desk } from "../../state/account.ts";

const NAMED_MAX = 4;

/**
 * What another role or other grants mean to whoever has this page open, in sentences; null where
 * nothing of that kind has changed. A new version of the model is no matter of rights.
 */
export function rightsNews(before: Desk, after: Desk): string | null {
  const [was, is] = [before.session.user, after.session.user];
  if (was.id !== is.id || before.model.version !== after.model.version) return null;
  const lost = sightsIn(before).filter((sight) => !sightsIn(after).includes(sight));
  const gained = sightsIn(after).filter((sight) => !sightsIn(before).includes(sight));
  const sentences = [
    was.role !== is.role && `Your role is now ${is.roleName}.`,
    lost.length > 0 && `You may no longer see ${listed(lost, before)}.`,
    gained.length > 0 && `You may now see ${listed(gained, after)}.`,
  ].filter((sentence) => typeof sentence === "string");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** What a person sees: tables, and `table\nfield`. */
function sightsIn({ model }: Desk): string[] {
  return model.tables.flatMap(({ name, fields }) => [
    name,
    ...fields.map((field) => `${name}\n${field.name}`),
  ]);
}

/** A table says all of its fields; others are named one by one, up to a few. */
function listed(sights: readonly string[], { model }: Desk): string {
  const tables = new Set(sights.filter((sight) => !sight.includes("\n")));
  const told = sights.filter((sight) => tables.has(sight) || !tables.has(tableOf(sight)));
  const names = told.map((sight) => {
    const [name = "", field] = sight.split("\n");
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

const tableOf = (sight: string) => sight.split("\n")[0] ?? "";
