import type { Table } from "../model/model.ts";
import { mayRun, type TransitionAuthor } from "./possible-transitions.ts";
import { grantOn } from "./role.ts";
import type { Scope, Subject } from "./scope.ts";

/**
 * A user as the author of transitions on records within their scope; `zone` is that of the model. A workflow may name the roles that run a
 * transition: an API token runs it only if its creator's role may too.
 */
export function transitionAuthorOf(
  { id, role, attributes }: Subject,
  table: Table,
  scope: Scope,
  zone: string,
): TransitionAuthor {
  const { transitions = false } = grantOn(role, table);
  const author = { id, role: role.id, attributes, transitions, fields: scope.fields, zone };
  if (!role.within) return author;
  const creator = { ...author, role: role.within.id };
  const all = table.workflow?.transitions ?? [];
  const runByCreator = all.filter((transition) => mayRun(transition, creator));
  return { ...author, transitions: runByCreator.map(({ name }) => name) };
}
