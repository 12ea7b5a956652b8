import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../../shared/limits.ts";
import { builtInRoles, type Role } from "../../../shared/policy/role.ts";
import type { OpResult } from "../../../shared/protocol/mutate.ts";
import type { Identity } from "../../auth/identity.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import type { FinalizedFeed } from "../../store/finalized-change.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../store/testing/store-environment.ts";
import { Commands } from "../commands.ts";
import type { Op } from "../op.ts";

/** What waits for a lock waits for as long as a test holds it, however slow the machine is. */
export const patience = {
  COMMIT_PATIENCE_MS: 120_000,
  COMMIT_CONNECTION_TIMEOUT_MS: 150_000,
  COMMIT_CALL_TIMEOUT_MS: 180_000,
};

/** A service desk with its commands, and users to call them. */
export interface CommandEnvironment extends StoreEnvironment {
  commands: Commands;
  errors: unknown[];
  /** The references under which errors were reported. */
  references: string[];
  /** The commands of another server on the same database. */
  openNode(limits?: Partial<Limits>): Commands;
  /** The reported spans of each commit. */
  committed: FinalizedFeed[][];
  /** Runs ops as one mutation and returns their results, once `committed` has its spans. */
  run(identity: Identity, ...ops: Op[]): Promise<OpResult[]>;
}

export async function createCommandEnvironment(
  kind: DatabaseKind,
  model = serviceDesk,
): Promise<CommandEnvironment> {
  const environment = await createStoreEnvironment(kind, model);
  const errors: unknown[] = [];
  const committed: FinalizedFeed[][] = [];
  const references: string[] = [];
  const nodes: Commands[] = [];
  const openNode = (limits: Partial<Limits> = {}) => {
    const node = new Commands({
      database: environment.database,
      model: Object.assign(() => environment.model, {
        refresh: async () => {},
        refreshAfterFailure: async () => {},
        onChange: () => () => {},
      }),
      limits: { ...defaultLimits, ...limits },
      onCommit: (feeds) => committed.push([...feeds]),
      onError(error, reference) {
        errors.push(error);
        references.push(reference);
      },
    });
    nodes.push(node);
    return node;
  };
  const commands = openNode();
  return {
    ...environment,
    commands,
    errors,
    references,
    openNode,
    committed,
    async run(identity, ...ops) {
      const { results } = await commands.mutate(identity, { ops });
      await nextTurn();
      return results;
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.close();
      await environment[Symbol.asyncDispose]();
    },
  };
}

/** The same commands, some of them replaced. */
export function withReplaced(commands: Commands, replaced: Partial<Commands>): Commands {
  return new Proxy(commands, {
    get(_, name: keyof Commands) {
      const of = replaced[name] === undefined ? commands : replaced;
      const member: unknown = of[name];
      return typeof member === "function" ? member.bind(of) : member;
    },
  });
}

/** A signed-in user, with a built-in role or one made for the test. */
export function testIdentity(id: string, role: string | Role = "editor"): Identity {
  const found = typeof role === "string" ? builtInRoles.find((one) => one.id === role) : role;
  if (!found) throw new Error(`There is no role ${role}.`);
  return {
    user: { id, name: `Name of ${id}`, colour: "teal", email: `${id}@example.com` },
    subject: { id, role: found, attributes: {} },
    actor: `user:${id}`,
    session: null,
    holder: id,
    expires: "2100-01-01T00:00:00Z",
  };
}
