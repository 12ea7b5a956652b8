import { randomUUID } from "node:crypto";
import type { CreateChangeSetCall } from "../../shared/protocol/change-sets.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Origin } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import { originOf } from "../commands/op.ts";
import { nextPartSize } from "../load/budget.ts";
import { writeOps } from "../store/change-sets/change-set-ops.ts";
import {
  beginWriting,
  deleteChangeSet,
  endWriting,
  holdWriting,
} from "../store/change-sets/change-sets.ts";
import { writeBulkOps } from "./bulk-ops.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { areAllChanges, writeRevertOps } from "./revert-ops.ts";
import { type SelectedChange, selectChanges } from "./select-changes.ts";
import {
  requireCapacity,
  requireDraftBytes,
  requireReadable,
  requireStorable,
} from "./set-checks.ts";
import { toStored } from "./stored-op.ts";
import { rightsOf } from "./visible-sets.ts";

/** Drafts of one user. */
const DRAFTS_PER_USER = 100;

interface NewDraft {
  title?: string | null | undefined;
  origin: Origin;
  reverts?: string | null;
  revertsAll?: boolean;
}

/** Gives the ops of a draft part by part, each after the one before it was written. */
type OpSource = (write: (ops: readonly WireOp[]) => Promise<void>) => Promise<void>;

/** Ops that one transaction stores: everybody else's edits wait for that. */
const WRITTEN_TOGETHER = { most: 500, least: 25, targetMs: 3 };

/**
 * Makes drafts, and answers their ids. A draft is written part by part, in a transaction each: it holds no connection, lock
 * or snapshot while its records are read. Until its last part is written nobody finds it, and if that fails, or its server
 * is killed, it is deleted.
 */
export class Drafts {
  readonly #context: ChangeSetContext;

  constructor(context: ChangeSetContext) {
    this.#context = context;
  }

  /** Of ops, as the inverses of changes, or of one edit to all records that match. */
  async create(identity: Identity, call: CreateChangeSetCall): Promise<string> {
    const { title } = call;
    requireStorable(title, []);
    if ("revert" in call) {
      const changes = await selectChanges(this.#context, identity, call.revert);
      return this.#revert(identity, changes, { title, reverts: onlySetOf(changes) });
    }
    if ("bulk" in call) {
      const origin = originOf(identity, undefined, "bulk");
      const source: OpSource = (write) => writeBulkOps(this.#context, identity, call.bulk, write);
      return this.#queued(identity, () => this.#store(identity, source, { title, origin }));
    }
    const { ops = [] } = call;
    requireReadable(identity.subject, this.#context.model(), ops);
    const origin = originOf(identity, call.origin, "bulk");
    const store = () => this.#store(identity, (write) => write(ops), { title, origin });
    return ops.length <= WRITTEN_TOGETHER.least ? store() : this.#queued(identity, store);
  }

  /** Of the inverses of what a set has changed, as far as the reader can see that. */
  async revert(identity: Identity, id: string): Promise<string> {
    const changes = await selectChanges(this.#context, identity, { changeSet: id });
    const revertsAll = await areAllChanges(this.#context, identity, { set: id, changes });
    return this.#revert(identity, changes, { reverts: id, revertsAll });
  }

  #revert(
    identity: Identity,
    changes: readonly SelectedChange[],
    draft: Omit<NewDraft, "origin">,
  ): Promise<string> {
    const source: OpSource = (write) => writeRevertOps(this.#context, identity, changes, write);
    const store = () => this.#store(identity, source, { ...draft, origin: "revert" });
    return changes.length <= WRITTEN_TOGETHER.least ? store() : this.#queued(identity, store);
  }

  #queued<Result>(identity: Identity, work: () => Promise<Result>): Promise<Result> {
    return this.#context.commands.budget.drafts.run(identity.subject.id, work);
  }

  async #store(identity: Identity, source: OpSource, draft: NewDraft): Promise<string> {
    const { database, limits } = this.#context;
    const { drafts } = await requireDraftBytes(
      database.kysely,
      limits.CHANGE_SET_DRAFTS_PER_USER_BYTES,
      identity,
    );
    const limit = DRAFTS_PER_USER;
    if (drafts >= limit)
      throw new Refusal("too_large", { limit, size: drafts + 1, unit: "drafts" });
    return this.write(identity, draft, async (id) => {
      await source(this.#writer(identity, id));
      if (!(await endWriting(database.kysely, id))) throw unavailable();
      return id;
    });
  }

  /** Makes a set that nobody finds until `write` has made it a draft, or more. It has as long as it needs, and nothing remains if it fails. */
  async write<Result>(
    identity: Identity,
    { title = null, origin, reverts = null, revertsAll = false }: NewDraft,
    write: (id: string) => Promise<Result>,
  ): Promise<Result> {
    const id = randomUUID();
    const { actor } = identity;
    const { kysely } = this.#context.database;
    const leaseMs = this.#context.limits.CHANGE_SET_LEASE_MS;
    const rights = origin === "revert" ? rightsOf(identity) : null;
    await beginWriting(kysely, { id, title, actor, origin, reverts, revertsAll, rights }, leaseMs);
    // A lease that could not be renewed is noticed with the next part.
    const renew = () => void holdWriting(kysely, id, leaseMs).catch(() => null);
    const renewal = setInterval(renew, leaseMs / 3).unref();
    try {
      return await write(id);
    } catch (error) {
      // What can't be deleted now is deleted when its lease has expired.
      await deleteChangeSet(kysely, id).catch(() => null);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Appends ops to a new set, part by part. */
  #writer(identity: Identity, set: string) {
    const { commands, database, limits, model } = this.#context;
    let size = WRITTEN_TOGETHER.least;
    let written = 0;
    const writePart = async (part: readonly WireOp[]) => {
      requireStorable(null, part, written);
      const stored = part.map((op, at) => toStored(op, written + at, model()));
      await database.kysely.transaction().execute(async (tx) => {
        if (!(await holdWriting(tx, set, limits.CHANGE_SET_LEASE_MS))) throw unavailable();
        await writeOps(tx, set, stored);
      });
    };
    return async (ops: readonly WireOp[]): Promise<void> => {
      requireCapacity(limits, written + ops.length);
      for (let from = 0; from < ops.length; ) {
        const part = ops.slice(from, from + size);
        const done = await commands.paced(identity, () => writePart(part));
        from += part.length;
        written += part.length;
        size = nextPartSize(WRITTEN_TOGETHER, { units: part.length, ...done });
      }
    };
  }
}

/** The set that made all of these changes: taking them back reverts a part of it. */
function onlySetOf(changes: readonly SelectedChange[]): string | null {
  const [first = null, ...others] = new Set(changes.map(({ changeSet = null }) => changeSet));
  return others.length > 0 ? null : first;
}
