import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import type { Filter } from "../../../shared/filter/filter.ts";
import type { Grant } from "../../../shared/policy/role.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { Identity } from "../../auth/identity.ts";
import { guardedModel } from "../../model/testing/guarded-model.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./command-environment.ts";

/** A service desk with one incident of group Red and one of group Blue, and users of Red with different roles. */
export interface ScopedDesk extends CommandEnvironment {
  /** Creates an incident that no other test touches, and returns its id. */
  createIncident(group?: string): Promise<string>;
  /** Updates an incident as the owner. */
  overwrite(record: string, set: Record<string, string>): Promise<void>;
}

export const table = "incidents";
export const ofRed: Filter = { field: "group", op: "eq", value: "$me.group" };
export const everything: Grant = {
  create: true,
  update: true,
  delete: true,
  history: true,
  transitions: true,
};
export const boss = testIdentity("boss", "owner");

/** A user of group Red whose role has this grant on incidents. */
export function reader(grant: Grant, more: Record<string, Grant> = {}): Identity {
  const role = { id: "r", name: "R", rights: [], grants: { incidents: grant, ...more } };
  const user = testIdentity("red", role);
  return { ...user, subject: { ...user.subject, attributes: { group: "Red" } } };
}

export const rowsOfRed = reader({ ...everything, read: { filter: ofRed } });
export const notesHidden = reader({ ...everything, read: { hide: ["notes"] } });
export const redWithoutNotes = reader({ ...everything, read: { filter: ofRed, hide: ["notes"] } });
export const groupsUnseen = reader({ ...everything, read: true });
export const groupRedOnly = reader(
  { ...everything, read: true },
  { groups: { read: { filter: { field: "name", op: "eq", value: "Red" } } } },
);

/** The body of the refusal of a call. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal ? error.toBody() : error;
}

export async function buildScopedDesk(kind: DatabaseKind): Promise<ScopedDesk> {
  const desk = await createCommandEnvironment(kind, guardedModel);
  for (const name of ["Red", "Blue"]) {
    await desk.run(boss, { op: "create", table: "groups", values: { name } });
    const values = { title: `of ${name}`, group: name, notes: `secret of ${name}`, category: name };
    await desk.run(boss, { op: "create", table, record: name, values });
  }
  let last = 0;
  return {
    ...desk,
    async createIncident(group = "Red") {
      last += 1;
      const record = `f${last}`;
      const values = { title: "first", group, notes: "secret" };
      await desk.run(boss, { op: "create", table, record, values });
      return record;
    },
    async overwrite(record, set) {
      const op = { op: "update", table, record, set, overwrite: true } as const;
      const [result] = await desk.run(boss, op);
      if (!result?.ok) throw new Error(`The update was refused: ${JSON.stringify(result)}`);
    },
  };
}
