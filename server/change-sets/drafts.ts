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
import { bulkOps } from "./bulk-ops.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { changesToRevert, revertOps } from "./revert-ops.ts";
import { requireCapacity, requireStorable } from "./set-checks.ts";
import { toStored } from "./stored-op.ts";
import { rightsOf } from "./visible-sets.ts";

interface NewDraft {
  title?: string | null | undefined;
  origin: Origin;
  reverts?: string | null;
}

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
      const ops = await bulkOps(this.#context, identity, call.bulk);
      const origin = originOf(identity, undefined, "bulk");
      return this.#insert(identity, ops, { title: call.title, origin });
    }
    const origin = originOf(identity, call.origin, "bulk");
    return this.#insert(identity, call.ops ?? [], { title: call.title, origin });
  }

  /** Of the inverses of what a set has changed, as far as the reader can see that. */
  async revert(identity: Identity, id: string): Promise<string> {
    const changes = await changesToRevert(this.#context, identity, { changeSet: id });
    const ops = await revertOps(this.#context, identity, changes);
    return this.#insert(identity, ops, { origin: "revert", reverts: id });
  }

  async #insert(identity: Identity, ops: readonly WireOp[], draft: NewDraft): Promise<string> {
    requireCapacity(this.#context.limits, ops.length);
    requireStorable(draft.title, []);
    const store = () => this.#store(identity, ops, draft);
    const isSmall = ops.length <= WRITTEN_TOGETHER.least;
    return isSmall ? store() : this.#queue.run(identity.subject.id, store);
  }

  async #store(
    identity: Identity,
    ops: readonly WireOp[],
    { title = null, origin, reverts = null }: NewDraft,
  ): Promise<string> {
    const id = randomUUID();
    const { kysely } = this.#context.database;
    const model = this.#context.model();
    const limit = this.#context.limits.CHANGE_SET_DRAFTS_PER_USER;
    const drafts = await countDrafts(kysely, identity.actor);
    if (drafts >= limit)
      throw new Refusal("too_large", { limit, size: drafts + 1, unit: "drafts" });
    await kysely.transaction().execute(async (tx) => {
      const rights = origin === "revert" ? rightsOf(identity) : null;
      await insertChangeSet(tx, { id, title, actor: identity.actor, origin, reverts, rights });
      await this.#write(identity, ops, async (part, from) => {
        requireStorable(null, part, from);
        await writeOps(
          tx,
          id,
          part.map((op, at) => toStored(op, from + at, model)),
        );
      });
    });
    return id;
  }

  /** Writes ops part by part. */
  async #write(
    identity: Identity,
    ops: readonly WireOp[],
    write: (part: readonly WireOp[], from: number) => Promise<void>,
  ): Promise<void> {
    let size = WRITTEN_TOGETHER.least;
    for (let from = 0; from < ops.length; ) {
      const part = ops.slice(from, from + size);
      const done = await this.#context.commands.paced(identity, () => write(part, from));
      from += part.length;
      size = nextPartSize(WRITTEN_TOGETHER, { units: part.length, ...done });
    }
  }
}
