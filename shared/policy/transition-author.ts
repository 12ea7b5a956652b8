import type { Table } from "../model/model.ts";
import type { TransitionAuthor } from "./possible-transitions.ts";
import { grantOn } from "./role.ts";
import type { Scope, Subject } from "./scope.ts";

/** A user as the author of transitions on records within their scope. */
export function transitionAuthorOf(
  { id, role, attributes }: Subject,
  table: Table,
  scope: Scope,
): TransitionAuthor {
  const { transitions = false } = grantOn(role, table);
  return { id, role: role.id, attributes, transitions, fields: scope.fields };
}
