import { usesCurrentUser } from "../filter/bind-filter.ts";
import type { Filter } from "../filter/filter.ts";
import type { Model, Table } from "../model/model.ts";
import type { Transition } from "../model/workflow.ts";
import { implies } from "./implies.ts";
import { mayRun } from "./possible-transitions.ts";
import { type Grant, grantOn, others, type Role } from "./role.ts";
import { bindRights, type Subject, scopeOf } from "./scope.ts";

/** Whose rights are compared: a role, or the role of a user for whom its row filters are bound. */
interface Holder {
  role: Role;
  bind: (filter: Filter) => Filter;
  /** Null if a role is compared for any user. */
  subject: Subject | null;
}

/**
 * Whether one role covers everything that another one grants: nobody grants rights that they do not have.
 * Errs on the safe side: a row filter is within another only if that is evident.
 *
 */
export function coversRole(mine: Role, theirs: Role, model: Model): boolean {
  const holder = (role: Role): Holder => ({ role, bind: (filter) => filter, subject: null });
  return covers(holder(mine), holder(theirs), model);
}

/**
 * Whether a user may do everything that another user may, with `$me` and every `$me.<attribute>` of their row
 * filters replaced: whoever resets a password can act as its owner, on the owner's rows.
 */
export function coversUser(mine: Subject, theirs: Subject, model: Model): boolean {
  const holder = (subject: Subject): Holder => ({
    role: subject.role,
    bind: (filter) => bindRights(filter, subject),
    subject,
  });
  return covers(holder(mine), holder(theirs), model);
}

/** Grants are compared on each table under its current name, and on future tables. */
function covers(mine: Holder, theirs: Holder, model: Model): boolean {
  if (!theirs.role.rights.every((right) => mine.role.rights.includes(right))) return false;
  return (
    model.tables.every((table) => coversTable(mine, theirs, table)) &&
    within(others(theirs.role), others(mine.role), mine, theirs)
  );
}

function coversTable(mine: Holder, theirs: Holder, table: Table): boolean {
  const grant = grantOn(theirs.role, table);
  return (
    within(grant, grantOn(mine.role, table), mine, theirs) &&
    seesWithin(mine, theirs, table) &&
    (table.workflow?.transitions ?? []).every((transition) =>
      runsWithin(transition, mine, theirs, table),
    )
  );
}

const plain = ["create", "createInAnyState", "export", "history", "comment"] as const;

function within(theirs: Grant, mine: Grant, me: Holder, them: Holder): boolean {
  const rows = (narrow: Rows, wide: Rows) => rowsWithin(narrow, wide, me, them);
  return (
    plain.every((right) => !theirs[right] || mine[right]) &&
    rows(theirs.read, mine.read) &&
    rows(theirs.update, mine.update) &&
    writesWithin(theirs.update, mine.update) &&
    rows(theirs.delete, mine.delete) &&
    transitionsWithin(theirs.transitions, mine.transitions)
  );
}

type Rows = boolean | { filter?: Filter } | undefined;

function rowsWithin(theirs: Rows, mine: Rows, me: Holder, them: Holder): boolean {
  if (!theirs) return true;
  if (!mine) return false;
  if (mine === true || !mine.filter) return true;
  const narrow = theirs === true ? undefined : theirs.filter;
  return narrow !== undefined && implies(them.bind(narrow), me.bind(mine.filter));
}

const noUser = { id: "", attributes: {}, zone: "UTC" };

/** Fields computed from hidden ones are hidden too: what is visible is compared. */
function seesWithin(mine: Holder, theirs: Holder, table: Table): boolean {
  const fieldsOf = ({ role }: Holder) => scopeOf({ ...noUser, role }, table)?.fields ?? [];
  const seen = new Set(fieldsOf(mine));
  return fieldsOf(theirs).every((name) => seen.has(name));
}

function writesWithin(theirs: Grant["update"], mine: Grant["update"]): boolean {
  const may = typeof mine === "object" ? mine.fields : undefined;
  if (!theirs || !may) return true;
  const wantedFields = typeof theirs === "object" ? theirs.fields : undefined;
  return wantedFields?.every((name) => may.includes(name)) ?? false;
}

function transitionsWithin(theirs: Grant["transitions"], mine: Grant["transitions"]): boolean {
  if (!theirs || mine === true) return true;
  if (!Array.isArray(theirs)) return false;
  return theirs.every((name) => Array.isArray(mine) && mine.includes(name));
}

/**
 * A workflow may restrict a transition to roles, and its guard may use `$me`: neither is in the grant.
 * Whoever may change the model could change both.
 */
function runsWithin(transition: Transition, mine: Holder, theirs: Holder, table: Table): boolean {
  const runs = ({ role }: Holder) => {
    const { transitions = false } = grantOn(role, table);
    return mayRun(transition, { ...noUser, role: role.id, transitions });
  };
  if (!runs(theirs) || mine.role.rights.includes("model")) return true;
  const { guard } = transition;
  const isOther = mine.subject?.id !== theirs.subject?.id && guard !== undefined;
  return runs(mine) && !(isOther && usesCurrentUser(guard) && !sameGuard(guard, mine, theirs));
}

function sameGuard(guard: Filter, mine: Holder, theirs: Holder): boolean {
  return implies(theirs.bind(guard), mine.bind(guard));
}
