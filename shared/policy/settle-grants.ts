import { meantTable } from "../model/former-names.ts";
import { idOfField, type Model, type Table } from "../model/model.ts";
import { tablePair } from "../model/names-after.ts";
import { isTaken, nameAfter, settleRowFilter } from "../model/settle-filter.ts";
import { mapGrant } from "./current-names.ts";
import { type Grant, grantKey, type Role } from "./role.ts";
import { isHidden } from "./scope.ts";

/**
 * What a role grants, carried over to the next model: a renamed table keeps its grant, a hidden field
 * stays hidden whatever it is called and whatever takes its name. Names that still mean the same stay
 * as they are, and hidden ones are only ever added to: a server that has not taken up the new model
 * yet must not show more by these grants. What was granted on a table or field that is gone does not hold
 * for another one that takes its name.
 */
export function settleGrants(grants: Role["grants"], from: Model, to: Model): Role["grants"] {
  const settled = { ...grants };
  const moved: [string, Grant][] = [];
  for (const { name } of from.tables) {
    const found = tablePair(name, from, to);
    const key = found && grantKey(grants, found.before);
    if (!found || key === null) continue;
    const { before, after } = found;
    const grant = settleGrant(grants[key] ?? {}, before, after);
    if (grantKey(grants, after) === key) settled[key] = grant;
    else {
      delete settled[key];
      moved.push([after.name, grant]);
    }
  }
  for (const key of Object.keys(settled)) {
    const meant = meantTable(from, key);
    const isGone = !meant || !tablePair(meant.name, from, to);
    if (key !== "*" && isGone && meantTable(to, key)) delete settled[key];
  }
  return Object.fromEntries([...Object.entries(settled), ...moved]);
}

function settleGrant(grant: Grant, before: Table, after: Table): Grant {
  const settled = mapGrant(grant, {
    rows: (filter) => settleRowFilter(filter, before, after),
    writable: (names) =>
      names
        .filter((name) => !isTaken(name, before, after))
        .map((name) => nameAfter(name, before, after)),
  });
  const { read } = settled;
  if (typeof read === "object") settled.read = { ...read, ...hidden(read.hide, before, after) };
  return settled;
}

function hidden(hide: string[] | undefined, before: Table, after: Table): { hide?: string[] } {
  if (!hide) return {};
  const concealed = before.fields.filter((field) => isHidden(field, hide)).map(idOfField);
  const shown = after.fields.filter(
    (field) => concealed.includes(idOfField(field)) && !isHidden(field, hide),
  );
  return { hide: [...hide, ...shown.map(({ name }) => name)] };
}
