import { type Explanation, explain, explanationOf } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
import { fieldsOf, usesClock } from "../filter/bind-filter.ts";
import { checkFilter } from "../filter/check-filter.ts";
import type { Filter } from "../filter/filter.ts";
import { resolveField, resolveTable } from "../model/former-names.ts";
import { fieldKinds, type Model, type Table } from "../model/model.ts";
import type { Grant, Role } from "./role.ts";

/** A problem of a role: where, as a dotted path, and a sentence for users. */
interface RoleProblem extends Explanation {
  path: string;
}

/**
 * Validates the grants of a role against the model: existing tables, fields and transitions, and row filters
 * that fit and do not depend on the clock. (A scope must not change with time, because nobody would notice
 * that a record has left it.) A grant on all other tables (`*`) can't name fields.
 */
export function checkRole({ grants }: Pick<Role, "grants">, model: Model): RoleProblem[] {
  return Object.entries(grants).flatMap(([name, grant]) => {
    const table = name === "*" ? null : resolveTable(model, name);
    const path = `grants.${name}`;
    if (table === undefined)
      return [{ path, ...explainModel("model.unknownTable", { table: name }) }];
    const parts = table ? checkGrant(grant, table) : checkGeneral(grant);
    return parts.map((part) => ({ ...part, path: `${path}.${part.path}` }));
  });
}

function checkGrant(grant: Grant, table: Table): RoleProblem[] {
  const { read, update, transitions } = grant;
  const problems = filtersOf(grant).map(([path, filter]) => checkRows(path, filter, table));
  const hide = read && read !== true ? (read.hide ?? []) : [];
  const fields = update && update !== true ? (update.fields ?? []) : [];
  const known = (name: string) => resolveField(table, name) !== undefined;
  for (const [path, names] of [
    ["read.hide", hide],
    ["update.fields", fields],
  ] as const) {
    for (const name of names) {
      if (!known(name)) problems.push({ path, ...explain("filter.unknownField", { field: name }) });
    }
  }
  const transitionNames = new Set(table.workflow?.transitions.map(({ name }) => name));
  for (const name of Array.isArray(transitions) ? transitions : []) {
    if (transitionNames.has(name)) continue;
    problems.push({
      path: "transitions",
      ...explainModel("role.unknownTransition", { transition: name }),
    });
  }
  return problems.filter((problem) => problem !== null);
}

function checkGeneral(grant: Grant): RoleProblem[] {
  return Object.entries(grant)
    .filter(([, value]) => typeof value === "object")
    .map(([path]) => ({
      path,
      ...explainModel("role.generalGrant"),
    }));
}

function filtersOf({ read, update, delete: remove }: Grant): [string, Filter][] {
  return Object.entries({ read, update, delete: remove }).flatMap(([action, value]) =>
    typeof value === "object" && value.filter
      ? [[`${action}.filter`, value.filter] as [string, Filter]]
      : [],
  );
}

function checkRows(path: string, filter: Filter, table: Table): RoleProblem | null {
  const problem = checkFilter(filter, fieldKinds(table));
  if (problem) return { ...explanationOf(problem), path: `${path}${problem.path}` };
  if (!usesClock(filter)) return null;
  const fields = [...fieldsOf(filter)];
  return { path, ...explainModel("role.clock", { fields }) };
}
