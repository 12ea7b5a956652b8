import { randomUUID } from "node:crypto";
import type { CreateChangeSetCall } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Origin } from "../../shared/protocol/origin.ts";
import { FairQueue } from "../auth/fair-queue.ts";
import type { Identity } from "../auth/identity.ts";
import { nextPartSize } from "../auth/part-size.ts";
import { originOf } from "../commands/mutate.ts";
import { writeOps } from "../store/change-sets/change-set-ops.ts";
import { countDrafts, insertChangeSet } from "../store/change-sets/change-sets.ts";
import type { Db } from "../store/database.ts";
import { writeBulkOps } from "./bulk-ops.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { areAllChanges, changesToRevert, revertOps } from "./revert-ops.ts";
import { requireCapacity, requireStorable } from "./set-checks.ts";
import { toStored } from "./stored-op.ts";
import { rightsOf } from "./visible-sets.ts";

interface NewDraft {
  title?: string | null | undefined;
  origin: Origin;
  reverts?: string | null;
  revertsAll?: boolean;
}

/** Gives the ops of a draft part by part, each after the one before it was written. */
type OpSource = (write: (ops: readonly WireOp[]) => Promise<void>) => Promise<void>;

/** Ops that one statement stores: everybody else's edits wait for that. */
const WRITTEN_TOGETHER = { most: 500, least: 25, targetMs: 3 };

/** Makes drafts, and answers their ids. */
export class Drafts {
  readonly #context: ChangeSetContext;
  /** Large ones rest in their transactions: they must not have all connections. */
  readonly #queue = new FairQueue({ parallel: 3, perUser: 1, waitingPerUser: 100 });

  constructor(context: ChangeSetContext) {
    this.#context = context;
  }

  /** Of ops, as the inverses of changes, or of one edit to all records that match. */
  async create(identity: Identity, call: CreateChangeSetCall): Promise<string> {
    if ("revert" in call) {
      const changes = await changesToRevert(this.#context, identity, call.revert);
      const ops = await revertOps(this.#context, identity, changes);
      return this.#insert(identity, ops, { title: call.title, origin: "revert" });
    }
    if ("bulk" in call) {
      const { title, bulk } = call;
      requireStorable(title, []);
      const origin = originOf(identity, undefined, "bulk");
      return this.#queue.run(identity.subject.id, () =>
        this.#store(identity, (write) => writeBulkOps(this.#context, identity, bulk, write), {
          title,
          origin,
        }),
      );
    }
    const origin = originOf(identity, call.origin, "bulk");
    return this.#insert(identity, call.ops ?? [], { title: call.title, origin });
  }

  /** Of the inverses of what a set has changed, as far as the reader can see that. */
  async revert(identity: Identity, id: string): Promise<string> {
    const changes = await changesToRevert(this.#context, identity, { changeSet: id });
    const ops = await revertOps(this.#context, identity, changes);
    const revertsAll = await areAllChanges(this.#context, identity, { set: id, changes });
    return this.#insert(identity, ops, { origin: "revert", reverts: id, revertsAll });
  }

  async #insert(identity: Identity, ops: readonly WireOp[], draft: NewDraft): Promise<string> {
    requireCapacity(this.#context.limits, ops.length);
    requireStorable(draft.title, []);
    const store = () => this.#store(identity, (write) => write(ops), draft);
    const isSmall = ops.length <= WRITTEN_TOGETHER.least;
    return isSmall ? store() : this.#queue.run(identity.subject.id, store);
  }

  async #store(
    identity: Identity,
    source: OpSource,
    { title = null, origin, reverts = null, revertsAll = false }: NewDraft,
  ): Promise<string> {
    const id = randomUUID();
    const { kysely } = this.#context.database;
    const limit = this.#context.limits.CHANGE_SET_DRAFTS_PER_USER;
    const drafts = await countDrafts(kysely, identity.actor);
    if (drafts >= limit)
      throw new Refusal("too_large", { limit, size: drafts + 1, unit: "drafts" });
    await kysely.transaction().execute(async (tx) => {
      const rights = origin === "revert" ? rightsOf(identity) : null;
      const { actor } = identity;
      await insertChangeSet(tx, { id, title, actor, origin, reverts, revertsAll, rights });
      await source(this.#writer(identity, tx, id));
    });
    return id;
  }

  /** Appends ops to a new set, part by part. */
  #writer(identity: Identity, tx: Db, set: string) {
    let size = WRITTEN_TOGETHER.least;
    let written = 0;
    return async (ops: readonly WireOp[]): Promise<void> => {
      for (let from = 0; from < ops.length; ) {
        const part = ops.slice(from, from + size);
        const done = await this.#context.commands.paced(identity, async () => {
          requireStorable(null, part, written);
          const model = this.#context.model();
          const stored = part.map((op, at) => toStored(op, written + at, model));
          await writeOps(tx, set, stored);
        });
        from += part.length;
        written += part.length;
        size = nextPartSize(WRITTEN_TOGETHER, { units: part.length, ...done });
      }
    };
  }
}
