import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../../shared/limits.ts";
import type { Values } from "../../../shared/model/model.ts";
import type { ChangeSetInfo } from "../../../shared/protocol/change-sets.ts";
import type { WireOp } from "../../../shared/protocol/mutate.ts";
import type { ActivityEntry } from "../../../shared/protocol/records.ts";
import type { Identity } from "../../auth/identity.ts";
import type { Commands } from "../../commands/commands.ts";
import { testIdentity, withReplaced } from "../../commands/testing/command-environment.ts";
import {
  boss,
  buildScopedDesk,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "../../commands/testing/scoped-desk.ts";
import { ChangeSets } from "../change-sets.ts";

export const ann = testIdentity("ann", "owner");

/** Change sets of users who are known here. A test expects the errors of the background itself, and takes them out. */
export interface ChangeSetDesk {
  desk: ScopedDesk;
  sets: ChangeSets;
  /** Another server on the same database. */
  node(limits?: Partial<Limits>, commands?: Partial<Commands>): ChangeSets;
  draft(ops: WireOp[], title?: string): Promise<ChangeSetInfo>;
  incidents(count: number): Promise<string[]>;
  valuesOf(record: string): Promise<Values>;
  changesOf(set: { id: string }): Promise<ActivityEntry[]>;
}

export async function openChangeSetDesk(
  kind: DatabaseKind,
  others: readonly Identity[] = [],
): Promise<ChangeSetDesk> {
  const known = [boss, ann, rowsOfRed, ...others];
  const users = new Map<string, Identity>(known.map((one) => [one.user.id, one]));
  const desk = await buildScopedDesk(kind);
  const node: ChangeSetDesk["node"] = (limits = {}, commands = {}) =>
    new ChangeSets({
      database: desk.database,
      model: () => desk.model,
      limits: { ...defaultLimits, ...limits },
      commands: withReplaced(desk.commands, commands),
      identify: async ({ id }) => users.get(id) ?? null,
      onError: (error) => desk.errors.push(error),
    });
  const sets = node();
  return {
    ...{ desk, sets, node },
    draft: (ops, title = "A set") => sets.create(boss, { title, ops }),
    incidents: (count) => Promise.all(Array.from({ length: count }, () => desk.createIncident())),
    valuesOf: async (record) => (await desk.commands.readRecord(boss, table, record)).values,
    changesOf: async ({ id }) => (await desk.commands.readActivity(boss, { changeSet: id })).items,
  };
}

export function rename(record: string, title: string, base = "first"): WireOp {
  return { ...{ op: "update", table, record }, ...{ set: { title }, base: { title: base } } };
}
