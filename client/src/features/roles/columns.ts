import type { Grant } from "../../../../shared/policy/role.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";

/** The label of each right on a table. */
export const columnLabels: Readonly<Record<keyof Grant, () => string>> = {
  read: messages.read,
  create: messages.create,
  createInAnyState: messages.createInAnyState,
  update: messages.update,
  delete: messages.delete,
  transitions: messages.transitions,
  history: messages.history,
  comment: messages.comment,
  export: messages.export,
};

/** The columns of the matrix, from left to right. */
export const columns = [
  "read",
  "create",
  "update",
  "delete",
  "transitions",
  "history",
  "comment",
  "export",
] as const satisfies readonly (keyof Grant)[];
export type Column = (typeof columns)[number];
