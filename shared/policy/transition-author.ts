import type { Table } from "../model/model.ts";
import type { TransitionAuthor } from "./possible-transitions.ts";
import { grantOn } from "./role.ts";
import type { Scope, Subject } from "./scope.ts";

/** A person as the one who moves the records of a table that lie within their scope. */
export function transitionAuthorOf(
  { id, role, attributes }: Subject,
  table: Table,
  scope: Scope,
): TransitionAuthor {
  const { transitions = false } = grantOn(role, table);
  return { id, role: role.id, attributes, transitions, fields: scope.fields };
}
