import type { Table } from "../model/model.ts";
import type { Mover } from "./possible-transitions.ts";
import { grantOn } from "./role.ts";
import type { Scope, Subject } from "./scope.ts";

/** A person as the one who moves the records of a table that lie within their scope. */
export function moverOf({ id, role, attributes }: Subject, table: Table, scope: Scope): Mover {
  const { transitions = false } = grantOn(role, table);
  return { id, role: role.id, attributes, transitions, fields: scope.fields };
}
