import type { Filter } from "../filter/filter.ts";
import { type Grant, grantNamed, type Role } from "./role.ts";

/**
 * Whether everything that a role grants is granted by another one too: nobody gives rights that they
 * do not have. Errs on the safe side: a row filter is within another only where it says the same, or
 * says it among others in one `and`.
 */
export function covers(mine: Role, theirs: Role): boolean {
  if (!theirs.rights.every((right) => mine.rights.includes(right))) return false;
  const tables = new Set(["*", ...Object.keys(mine.grants), ...Object.keys(theirs.grants)]);
  return [...tables].every((table) => within(grantNamed(theirs, table), grantNamed(mine, table)));
}

const plain = ["create", "createInAnyState", "export", "history", "comment"] as const;

function within(theirs: Grant, mine: Grant): boolean {
  return (
    plain.every((right) => !theirs[right] || mine[right]) &&
    readWithin(theirs.read, mine.read) &&
    updateWithin(theirs.update, mine.update) &&
    rowsWithin(theirs.delete, mine.delete) &&
    transitionsWithin(theirs.transitions, mine.transitions)
  );
}

type Rows = boolean | { filter?: Filter } | undefined;

function rowsWithin(theirs: Rows, mine: Rows): boolean {
  if (!theirs) return true;
  if (!mine) return false;
  if (mine === true || !mine.filter) return true;
  return theirs !== true && theirs.filter !== undefined && implies(theirs.filter, mine.filter);
}

function implies(narrow: Filter, wide: Filter): boolean {
  if (JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  return "and" in narrow && narrow.and.some((part) => implies(part, wide));
}

function readWithin(theirs: Grant["read"], mine: Grant["read"]): boolean {
  if (!theirs) return true;
  const hidden = typeof mine === "object" ? (mine.hide ?? []) : [];
  const hides = typeof theirs === "object" ? (theirs.hide ?? []) : [];
  return rowsWithin(theirs, mine) && hidden.every((name) => hides.includes(name));
}

function updateWithin(theirs: Grant["update"], mine: Grant["update"]): boolean {
  if (!theirs) return true;
  const may = typeof mine === "object" ? mine.fields : undefined;
  const wants = typeof theirs === "object" ? theirs.fields : undefined;
  const fields = !may || (wants?.every((name) => may.includes(name)) ?? false);
  return rowsWithin(theirs, mine) && fields;
}

function transitionsWithin(theirs: Grant["transitions"], mine: Grant["transitions"]): boolean {
  if (!theirs || mine === true) return true;
  if (!Array.isArray(theirs)) return false;
  return theirs.every((name) => Array.isArray(mine) && mine.includes(name));
}
