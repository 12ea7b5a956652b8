import type { Grant } from "../../../../shared/policy/role.ts";

/** What each right on a table is called. */
export const columnLabels: Readonly<Record<keyof Grant, string>> = {
  read: "See",
  create: "Add",
  createInAnyState: "Add in any state",
  update: "Change",
  delete: "Delete",
  transitions: "Move",
  history: "History",
  comment: "Comment",
  export: "Export",
};

/** The columns of the matrix, from left to right. */
export const columns = [
  "read",
  "create",
  "update",
  "delete",
  "transitions",
  "history",
] as const satisfies readonly (keyof Grant)[];
export type Column = (typeof columns)[number];
