import type { Filter } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import { idOfField, type Model, type Table } from "../model/model.ts";
import { fieldAfter, tablePair } from "../model/names-after.ts";
import { type Grant, grantKey, type Role } from "./role.ts";
import { isHidden } from "./scope.ts";

/**
 * What a role grants, carried over to the next model: a renamed table keeps its grant, a hidden field
 * stays hidden whatever it is called and whatever takes its name. Names that still mean the same stay
 * as they are, and hidden ones are only ever added to: a server that has not taken up the new model
 * yet must not show more by these grants.
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
  return Object.fromEntries([...Object.entries(settled), ...moved]);
}

function settleGrant(grant: Grant, before: Table, after: Table): Grant {
  const nameOf = (name: string) => fieldAfter(name, before, after) ?? name;
  const rows = <Part>(part: Part): Part => {
    const { filter } = (typeof part === "object" ? part : {}) as { filter?: Filter };
    return filter ? { ...part, filter: renameFields(filter, nameOf) } : part;
  };
  const { read, update } = grant;
  const settled = { ...grant };
  if (typeof read === "object")
    settled.read = { ...rows(read), ...hidden(read.hide, before, after) };
  if (typeof update === "object") {
    const fields = update.fields && { fields: update.fields.map(nameOf) };
    settled.update = { ...rows(update), ...fields };
  }
  if (typeof grant.delete === "object") settled.delete = rows(grant.delete);
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
