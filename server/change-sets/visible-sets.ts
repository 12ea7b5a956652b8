import { createHash } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type {
  ChangeSetInfo,
  ChangeSetState,
  ImportCounts,
} from "../../shared/protocol/change-sets.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { countChangesOfSets } from "../store/activity.ts";
import { authorOf } from "../store/author.ts";
import {
  countVisibleOps,
  nextPlace,
  type OpStatus,
  tablesOfSets,
} from "../store/change-sets/change-set-ops.ts";
import {
  type ChangeSetFilter,
  type ChangeSetRow,
  findChangeSet,
  listChangeSets,
} from "../store/change-sets/change-sets.ts";
import type { Db } from "../store/database.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { opScopeOf } from "./op-scope.ts";
import { statusOf } from "./preview-op.ts";
import { selectChanges } from "./select-changes.ts";
import { SharedResults } from "./shared-results.ts";
import { tableOf } from "./stored-op.ts";

const PAGE_SETS = 100;
/** Sets whose changes one statement counts: it has a time-out, and a set may have changed CHANGE_SET_MAX_OPS records. */
const COUNTED_TOGETHER = 5;
/** The progress of a set of fewer ops is always counted anew: that costs nothing. */
const SHARED_FROM_OPS = 1_000;

/** Change sets as a reader may see them: the author by their ops, everybody else by the changes that were applied. */
export class VisibleSets {
  readonly #context: ChangeSetContext;
  /** Sets that are being applied: every screen that shows one reads its progress each second. */
  readonly #applying = new SharedResults<ChangeSetInfo[]>();

  constructor(context: ChangeSetContext) {
    this.#context = context;
  }

  /** The newest that the reader may see. */
  async list(
    identity: Identity,
    call: {
      state?: ChangeSetState | undefined;
      by?: string | undefined;
      limit?: number | undefined;
    },
  ): Promise<ChangeSetInfo[]> {
    const limit = Math.min(call.limit ?? PAGE_SETS, PAGE_SETS);
    const actor = call.by === undefined ? undefined : `user:${call.by}`;
    const filter: ChangeSetFilter = { state: call.state, actor, reader: identity.actor };
    const found: ChangeSetInfo[] = [];
    for (let before: ChangeSetRow | null = null; found.length < limit; ) {
      const rows = await listChangeSets(this.#db, filter, { before, limit: PAGE_SETS });
      found.push(...(await this.#project(identity, rows)));
      before = rows.at(-1) ?? null;
      if (rows.length < PAGE_SETS) break;
    }
    return found.slice(0, limit);
  }

  /** A set that the reader may see; `not_found` else. */
  async one(identity: Identity, id: string): Promise<ChangeSetInfo> {
    const row = found(await findChangeSet(this.#db, id));
    const project = () => this.#project(identity, [row]);
    // Readers with the same rights see the same records.
    const key = JSON.stringify([id, row.version, identity.actor, rightsOf(identity)]);
    const [info] = await ((await this.#isCostly(row))
      ? this.#applying.get(key, project)
      : project());
    if (!info) throw new Refusal("not_found");
    return info;
  }

  async #isCostly({ id, state }: ChangeSetRow): Promise<boolean> {
    return state === "applying" && (await nextPlace(this.#db, id)) >= SHARED_FROM_OPS;
  }

  /** The reader's own set. One of somebody else that they may see is `forbidden`, and an outdated one a `conflict`. */
  async own(identity: Identity, id: string): Promise<ChangeSetRow> {
    const row = await this.authored(identity, id);
    if (isOwn(row, identity)) return row;
    const { state } = row;
    throw new Refusal("conflict", { state, fields: {} }, explain("changeSet.otherRights"));
  }

  /** The same, also where it is outdated. */
  async authored(identity: Identity, id: string): Promise<ChangeSetRow> {
    const row = await findChangeSet(this.#db, id);
    if (row && isAuthor(row, identity)) return row;
    await this.one(identity, id);
    throw new Refusal("forbidden", { right: "author" }, explain("changeSet.author"));
  }

  get #db(): Db {
    return this.#context.database.kysely;
  }

  /** Sets as a reader may see them; without those of others that changed nothing that they may read. */
  async #project(identity: Identity, rows: readonly ChangeSetRow[]): Promise<ChangeSetInfo[]> {
    const own = rows.filter((row) => isOwn(row, identity)).map(({ id }) => id);
    const tables = own.length ? await tablesOfSets(this.#db, own) : [];
    const scope = opScopeOf(identity.subject, this.#context.model(), tables);
    const counted = own.length ? await countVisibleOps(this.#db, own, scope) : [];
    const counts = Map.groupBy(counted, ({ set }) => set);
    const logged = rows.filter((row) =>
      isOwn(row, identity) ? isKnownByLog(row) : row.state !== "draft",
    );
    const applied = await this.#appliedBy(identity, logged);
    const found: ChangeSetInfo[] = [];
    for (const row of rows) {
      if (own.includes(row.id)) {
        const ops = (isKnownByLog(row) ? applied : counts).get(row.id) ?? [];
        found.push(this.#ownInfo(identity, row, ops));
      } else {
        const visible = applied.get(row.id) ?? [];
        const info = this.#info(identity, row, visible);
        if (isAuthor(row, identity)) found.push({ ...info, isOutdated: true, revertedTitle: null });
        else if (visible.length) found.push(info);
      }
    }
    return found;
  }

  /**
   * What the log says of sets to somebody who does not see their ops. The changes themselves are only read where the
   * reader may not see all of a table.
   */
  async #appliedBy(
    identity: Identity,
    rows: readonly ChangeSetRow[],
  ): Promise<Map<string, Counts>> {
    const { database, limits } = this.#context;
    const max = limits.CHANGE_SET_MAX_OPS;
    const ids = rows.map(({ id }) => id);
    const changes: Awaited<ReturnType<typeof countChangesOfSets>> = [];
    for (let at = 0; at < ids.length; at += COUNTED_TOGETHER) {
      const part = ids.slice(at, at + COUNTED_TOGETHER);
      changes.push(...(await countChangesOfSets(database, part, max)));
    }
    const found = new Map<string, Counts>();
    for (const [set, all] of Map.groupBy(changes, ({ set }) => set)) {
      const own = all.filter(({ table }) => this.#visibility(identity, table) !== "none");
      const isCut = own.length > 0 && own.length < all.length && sumOf(all) >= max;
      const isExact =
        !isCut && own.every(({ table }) => this.#visibility(identity, table) === "all");
      const visible = isExact ? own : await this.#readChanges(identity, set);
      found.set(
        set,
        visible.map(({ kind, count }) => {
          return { kind: kindOfChange[kind], status: "applied", count };
        }),
      );
    }
    return found;
  }

  async #readChanges(identity: Identity, changeSet: string) {
    const changes = await selectChanges(this.#context, identity, { changeSet }, "cut");
    return changes.map(({ kind }) => ({ kind, count: 1 }));
  }

  /** How much of a table's history the reader may see. */
  #visibility({ subject }: Identity, name: string): "all" | "some" | "none" {
    const table = findTable(this.#context.model(), name);
    const scope = table && grantOn(subject.role, table).history ? scopeOf(subject, table) : null;
    if (!table || !scope) return "none";
    return scope.filter === null && scope.fields.length === table.fields.length ? "all" : "some";
  }

  #ownInfo(identity: Identity, row: ChangeSetRow, counts: Counts): ChangeSetInfo {
    const file = importOf(row, this.#context.model());
    return { ...this.#info(identity, row, counts), isOwn: true, import: file };
  }

  #info({ subject }: Identity, row: ChangeSetRow, counts: Counts): ChangeSetInfo {
    const table = row.import && tableOf(row.import.tableId, this.#context.model());
    return infoOf(row, { counts, table: table && scopeOf(subject, table) ? table.name : null });
  }
}

const kindOfChange = { insert: "create", update: "update", delete: "delete" } as const;

type Counts = readonly { kind: string; status: OpStatus | null; count: number }[];

const sumOf = (counts: readonly { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** Whether a set has no ops, and its author sees what it has changed as everybody else does: by the log. */
export function isKnownByLog({ import: file }: ChangeSetRow): boolean {
  return file?.direct !== undefined;
}

/** What a set's author sees of its file. */
function importOf({ import: file }: ChangeSetRow, model: Model): ImportCounts | null {
  if (!file) return null;
  const zero = { rows: 0, created: 0, updated: 0, unchanged: 0, superseded: 0, failed: 0 };
  const table = tableOf(file.tableId, model)?.name ?? "";
  const isComplete = file.counts !== null && file.direct !== "open";
  return { table, isComplete, ...(file.counts ?? zero) };
}

/**
 * Whether somebody sees a set as its author: by its ops. Those of a revert were made of the history that its author could
 * read, and are shown only as long as they have the same rights.
 */
export function isOwn(row: ChangeSetRow, identity: Identity): boolean {
  const { rights } = row;
  return isAuthor(row, identity) && (rights === null || rights === rightsOf(identity));
}

/** The creator of an API token is the author of its sets too; who applies one becomes the author of its changes. */
function isAuthor({ actor, creator }: ChangeSetRow, { actor: reader }: Identity): boolean {
  return actor === reader || creator === reader;
}

/** Changes with every right of the author. */
export function rightsOf({ subject }: Identity): string {
  return createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
}

function infoOf(
  row: ChangeSetRow,
  { counts, table }: { counts: Counts; table: string | null },
): ChangeSetInfo {
  const countWhere = (isCounted: (one: Counts[number]) => boolean) =>
    sumOf(counts.filter(isCounted));
  const ofStatus = (status: string) => countWhere((one) => one.status === status);
  const ofKind = (kind: string) => countWhere((one) => statusOf(one.kind) === kind);
  const { id, title, state, origin, version, created, updated, applied } = row;
  const { reverts, revertedTitle } = row;
  return {
    id,
    title,
    table,
    state,
    origin,
    by: authorOf(row.actor, row.name),
    isOwn: false,
    isOutdated: false,
    version,
    created,
    updated,
    applied,
    reverts,
    revertedTitle,
    import: null,
    counts: { create: ofKind("create"), update: ofKind("update"), delete: ofKind("delete") },
    progress: {
      total: countWhere(() => true),
      applied: ofStatus("applied"),
      conflicts: ofStatus("conflict"),
      refused: ofStatus("refused"),
      skipped: ofStatus("skipped"),
      unchanged: ofStatus("unchanged"),
    },
  };
}
