import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreateChangeSetCall } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Origin } from "../../shared/protocol/origin.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { originOf } from "../commands/mutate.ts";
import { writeOps } from "../store/change-sets/change-set-ops.ts";
import { countDrafts, insertChangeSet } from "../store/change-sets/change-sets.ts";
import { type BulkDeps, bulkOps } from "./bulk-ops.ts";
import { changesToRevert, type RevertDeps, revertOps } from "./revert-ops.ts";
import { requireCapacity, requireStorable } from "./set-checks.ts";
import { toStored } from "./stored-op.ts";
import { rightsOf } from "./visible-sets.ts";

export interface DraftDeps extends BulkDeps, RevertDeps {
  commands: BulkDeps["commands"] & RevertDeps["commands"] & Pick<Commands, "untilWithinShare">;
}

/** Ops that one statement stores: everybody else's edits wait for that. */
const WRITTEN_TOGETHER = 50;

/** Makes drafts, and answers their ids. */
export class Drafts {
  readonly #deps: DraftDeps;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  /** Of ops, as the inverses of changes, or of one edit to all records that match. */
  async create(identity: Identity, call: CreateChangeSetCall): Promise<string> {
    if ("revert" in call) {
      const changes = await changesToRevert(this.#deps, identity, call.revert);
      const ops = await revertOps(this.#deps, identity, changes);
      return this.#insert(identity, ops, { title: call.title, origin: "revert" });
    }
    if ("bulk" in call) {
      const ops = await bulkOps(this.#deps, identity, call.bulk);
      const origin = originOf(identity, undefined, "bulk");
      return this.#insert(identity, ops, { title: call.title, origin });
    }
    const origin = originOf(identity, call.origin, "bulk");
    return this.#insert(identity, call.ops ?? [], { title: call.title, origin });
  }

  /** Of the inverses of what a set has changed, as far as the reader can see that. */
  async revert(identity: Identity, id: string): Promise<string> {
    const changes = await changesToRevert(this.#deps, identity, { changeSet: id });
    const ops = await revertOps(this.#deps, identity, changes);
    return this.#insert(identity, ops, { origin: "revert", reverts: id });
  }

  async #insert(
    identity: Identity,
    ops: readonly WireOp[],
    {
      title = null,
      origin,
      reverts = null,
    }: { title?: string | null | undefined; origin: Origin; reverts?: string | null },
  ): Promise<string> {
    requireCapacity(this.#deps.limits, ops.length);
    requireStorable(title, []);
    const id = randomUUID();
    const { kysely } = this.#deps.database;
    const model = this.#deps.model();
    const limit = this.#deps.limits.CHANGE_SET_DRAFTS_PER_USER;
    const drafts = await countDrafts(kysely, identity.actor);
    if (drafts >= limit)
      throw new Refusal("too_large", { limit, size: drafts + 1, unit: "drafts" });
    await kysely.transaction().execute(async (tx) => {
      const rights = origin === "revert" ? rightsOf(identity) : null;
      await insertChangeSet(tx, { id, title, actor: identity.actor, origin, reverts, rights });
      for (let from = 0; from < ops.length; from += WRITTEN_TOGETHER) {
        const isShared = await this.#deps.commands.untilWithinShare(identity);
        const started = performance.now();
        const part = ops.slice(from, from + WRITTEN_TOGETHER);
        requireStorable(null, part, from);
        await writeOps(
          tx,
          id,
          part.map((op, at) => toStored(op, from + at, model)),
        );
        if (isShared) await sleep(performance.now() - started);
      }
    });
    return id;
  }
}
