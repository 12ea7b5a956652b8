import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isStorable } from "../../shared/filter/storable.ts";
import { DEFAULT_LANGUAGE, type TextOrder } from "../../shared/filter/text-order.ts";
import { dependsOnRole } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { PreviewRoleCall } from "../../shared/protocol/roles.ts";
import type { SummaryCall } from "../../shared/protocol/summary.ts";
import { identify } from "../auth/authenticate.ts";
import type { Identity } from "../auth/identity.ts";
import { createSecretBox } from "../auth/secret-box.ts";
import { Budget, type DonePart } from "../load/budget.ts";
import { internalError, type ReportFailure } from "../policy/internal-error.ts";
import { misfitRefusal } from "../policy/misfit-refusal.ts";
import type { TopicChange } from "../store/change-notifier.ts";
import type { Db } from "../store/database.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { within } from "../store/in-time.ts";
import { TableMisfit } from "../store/model-fit.ts";
import { OffsetIndexes } from "../store/offset-index.ts";
import type { StoredPage } from "../store/pages.ts";
import { type Context, withPublishedModel } from "../store/published-model.ts";
import type { ReadTurns } from "../store/read-turns.ts";
import { SharedReads } from "../store/shared-reads.ts";
import { WriteSession } from "../store/write-session.ts";
import { Committer } from "./committer.ts";
import { type DryResult, DryRun, type NamedRecords } from "./dry-run.ts";
import { type ExpandedLinks, expandLinks } from "./expand-links.ts";
import { type ExportBatch, exportRights, readExport } from "./exports.ts";
import { type Mutation, type MutationRequest, mutationOf, type Op } from "./op.ts";
import { previewRole } from "./preview-role.ts";
import {
  type ActivityCall,
  type ChangePosition,
  readActivity,
  readEntries,
  readEntriesAt,
  readPlacedActivity,
} from "./read-activity.ts";
import { readChanges } from "./read-changes.ts";
import { readMatching, readPage } from "./read-page.ts";
import { readHistory, readRecord } from "./read-record.ts";
import { readSummary } from "./read-summary.ts";
import { Reads } from "./reads.ts";

/** Approximate memory of a server for the offset indexes of long views. */
const OFFSET_INDEXES_MAX_BYTES = 33_554_432;
/** An offset index that takes longer to build is given up. */
const OFFSET_INDEX_TIMEOUT_MS = 5_000;
/** A longer reading of the next records of an export is cancelled. */
const EXPORT_TIMEOUT_MS = 60_000;
/** Mutations that wait for another program's lock and are tried at the same time. */
const COMMIT_CONTENDED_PARALLEL = 4;

/**
 * Exports that are read at the same time: each has a transaction of its own until it is read. That of a slow reader may wait for space in its
 * file, so they are twice as many as one user may have.
 */
const EXPORTS_READ_AT_ONCE = 4;
/** Records that an export encodes together while others are active: their edits wait for that. It does not rest, which would prolong its snapshot. */
const EXPORT_SHARED_BATCH = 250;
/** How long a part of long work lets edits go first: others may edit all the time. */
const EDITS_FIRST_MAX_MS = 20;
/** How often a waiting caller is authenticated again: one who is signed out meanwhile ends within a second. */
const CHECK_MS = 250;
/** The mutations of other authors wait for the look-up of one author's rights. */
const LOOK_UP_TIMEOUT_MS = 1_000;

interface CommandsOptions extends Context {
  /** How the database orders texts. */
  textOrder?: TextOrder;
  /** After each commit, with what it added to the log: start-server.ts wakes the relay by it. */
  onCommit: (feeds: readonly FinalizedFeed[]) => void;
  /** The secret that all servers of an installation share, so that a cursor is valid on each; by default one of this server. */
  secret?: Buffer;
  /** An unforeseen error; its caller was answered `internal` with the reference. */
  onError: ReportFailure;
}

/**
 * What users do with records, behind REST, socket, imports and change sets. A method takes the caller's turn and runs by the
 * published model; the function that it names does the work. Every method throws refusals of the catalogue.
 */
export class Commands {
  /** Turns of reads, for whatever else reads records on behalf of a user. */
  readonly reads: ReadTurns;
  /** What all users share, for whatever else works on their behalf. */
  readonly budget: Budget;
  readonly #options: CommandsOptions;
  readonly #sessions: readonly [WriteSession, ...WriteSession[]];
  readonly #committer: Committer;
  readonly #reads: Reads;
  readonly #readContext;

  constructor(options: CommandsOptions) {
    const { database, model, limits, onCommit, onError } = options;
    this.#options = options;
    const answerTimeoutMs = limits.COMMIT_CONNECTION_TIMEOUT_MS;
    const openSession = (lockTimeoutMs: number) =>
      new WriteSession(database, { lockTimeoutMs, answerTimeoutMs });
    const session = openSession(limits.COMMIT_LOCK_TIMEOUT_MS);
    const contendedSessions = Array.from({ length: COMMIT_CONTENDED_PARALLEL }, () =>
      openSession(limits.COMMIT_PATIENCE_MS),
    );
    this.#sessions = [session, ...contendedSessions];
    this.budget = new Budget(limits);
    const { time: shares } = this.budget;
    const onFailure = (error: unknown) => internalError(error, onError);
    const isAsSent = (mutation: Mutation) => hasRightsAsSent(database.kysely, mutation);
    this.#committer = new Committer({
      ...{ session, contendedSessions, model, limits, shares, isAsSent, onCommit, onFailure },
    });
    this.#reads = new Reads(database, limits, this.budget);
    this.reads = this.#reads;
    const indexes = new OffsetIndexes({
      turns: this.#reads,
      textOrder: options.textOrder === undefined ? DEFAULT_LANGUAGE : options.textOrder,
      // A reader with too many waiting reads gets the index by a later page.
      onError: (error) => error instanceof Refusal || onFailure(error),
      maxBytes: OFFSET_INDEXES_MAX_BYTES,
      // Otherwise the connection would be ended before the statement is, and could not be rolled back.
      timeoutMs: Math.min(OFFSET_INDEX_TIMEOUT_MS, limits.READ_TIMEOUT_MS),
    });
    const scans = new SharedReads();
    const exports = database.separatePool(EXPORTS_READ_AT_ONCE, {
      timeoutMs: EXPORT_TIMEOUT_MS,
    });
    const cursors = createSecretBox((options.secret ?? randomBytes(32)).toString("hex"));
    this.#readContext = {
      ...{ database: this.#reads.database, model, limits, cursors, indexes, scans, exports },
    };
  }

  /** The only way to change records, on every write path: grid, paste, import, undo, REST, token. */
  async mutate(identity: Identity, request: MutationRequest): Promise<MutateAnswer> {
    const mutation = mutationOf(identity, request);
    const { id, ops } = mutation;
    const limit = this.#options.limits.MUTATION_MAX_OPS;
    if (ops.length > limit) throw new Refusal("too_large", { limit, size: ops.length });
    if (!isStorable(id)) throw new Refusal("invalid_request", { at: "id" });
    return { results: await this.#committer.commit(mutation) };
  }

  readPage(identity: Identity, call: QueryCall) {
    return this.#read(identity, () => readPage(this.#readContext, identity.subject, call));
  }

  /** The same for a caller from outside, as large as an answer may be. */
  answerPage(
    identity: Identity,
    call: QueryCall & { cursor?: string | undefined; expand?: readonly string[] | undefined },
  ) {
    const { PAGE_MAX_BYTES } = this.#options.limits;
    return this.#read(identity, async () => {
      const page = await readPage(this.#readContext, identity.subject, call, PAGE_MAX_BYTES);
      return { ...page, ...(await this.#expand(identity, call, page.records)) };
    });
  }

  readRecord(identity: Identity, table: string, id: string) {
    return this.#read(identity, () => readRecord(this.#readContext, identity.subject, table, id));
  }

  /** A record for a caller from outside, with what its links lead to. */
  answerRecord(
    identity: Identity,
    table: string,
    id: string,
    { expand }: { expand?: readonly string[] | undefined },
  ) {
    return this.#read(identity, async () => {
      const record = await readRecord(this.#readContext, identity.subject, table, id);
      return { ...record, ...(await this.#expand(identity, { table, expand }, [record])) };
    });
  }

  async #expand(
    { subject }: Identity,
    {
      expand,
      ...call
    }: Pick<QueryCall, "table" | "fields"> & { expand?: readonly string[] | undefined },
    records: readonly WireRecord[],
  ): Promise<{ expanded?: ExpandedLinks }> {
    if (!expand) return {};
    const { PAGE_MAX_BYTES } = this.#options.limits;
    const asked = { ...call, expand };
    return {
      expanded: await expandLinks(this.#readContext, subject, asked, records, PAGE_MAX_BYTES),
    };
  }

  readHistory(
    identity: Identity,
    table: string,
    record: string,
    page?: Parameters<typeof readHistory>[4],
  ) {
    return this.#read(identity, () =>
      readHistory(this.#readContext, identity.subject, table, record, page),
    );
  }

  readChanges(identity: Identity, call: Parameters<typeof readChanges>[2]) {
    return this.#read(identity, () => readChanges(this.#readContext, identity.subject, call));
  }

  readActivity(identity: Identity, call: ActivityCall) {
    return this.#read(identity, () => readActivity(this.#readContext, identity.subject, call));
  }

  readPlacedActivity(identity: Identity, call: ActivityCall) {
    return this.#read(identity, () =>
      readPlacedActivity(this.#readContext, identity.subject, call),
    );
  }

  readEntries(identity: Identity, changes: readonly ChangePosition[]) {
    return this.#read(identity, () => readEntries(this.#readContext, identity.subject, changes));
  }

  readEntriesAt(identity: Identity, places: readonly number[]) {
    return this.#read(identity, () => readEntriesAt(this.#readContext, identity.subject, places));
  }

  readSummary(identity: Identity, call: SummaryCall) {
    return this.#read(identity, () => readSummary(this.#readContext, identity.subject, call));
  }

  previewRole(identity: Identity, call: PreviewRoleCall) {
    return this.#read(identity, () => previewRole(this.#readContext, identity.subject, call));
  }

  /** Reads all records of a view in parts, at most `max`: those that matched at one moment, and still do when they are read. */
  readMatching(
    identity: Identity,
    call: QueryCall,
    max: number,
    use: (records: StoredPage["records"]) => Promise<void>,
  ): Promise<void> {
    return readMatching(this.#readContext, identity.subject, call, {
      max,
      use,
      read: (part) => this.#read(identity, part),
      paced: (part) => this.paced(identity, part),
    });
  }

  /** A text that is the same as long as the caller's rights to this export are. Throws `forbidden` where they have none. */
  exportRights(identity: Identity, call: QueryCall, labels: boolean): string {
    return exportRights(this.#options.model(), identity.subject, call, labels);
  }

  /** All records of a view as of one moment, in batches. Needs the right to export, and a place of the budget. */
  exportRecords(identity: Identity, call: QueryCall): AsyncGenerator<ExportBatch> {
    const { subject } = identity;
    const { PAGE_MAX_RECORDS: most } = this.#options.limits;
    const batchSize = () =>
      this.budget.time.hasOthers(subject.id) ? Math.min(most, EXPORT_SHARED_BATCH) : most;
    return readExport({ ...this.#readContext, batchSize }, subject, call);
  }

  /** Evaluates ops chunk by chunk, as if each had been committed before the next, and those that have `created` records before all. Writes nothing. */
  dryRun(
    identity: Identity,
    named: NamedRecords,
    more?: ConstructorParameters<typeof DryRun>[3],
  ): (ops: Op[]) => Promise<DryResult[]> {
    const run = new DryRun(this.#readContext, identity, named, more);
    return (ops) => this.#read(identity, () => run.evaluate(ops));
  }

  /**
   * Resolves when the author of long work, such as an import, may do its next part: within their share of the server's time,
   * and after the edits that are being committed. True if others are active.
   */
  async untilWithinShare({ subject }: { subject: Pick<Subject, "id"> }): Promise<boolean> {
    const isShared = await this.budget.time.untilWithin(subject.id);
    if (isShared) await Promise.race([this.#committer.idle(), sleep(EDITS_FIRST_MAX_MS)]);
    return isShared;
  }

  /** Does one part of long work after `untilWithinShare`, and rests after it if others are active. */
  async paced<Result>(identity: Identity, part: () => Promise<Result>): Promise<DonePart<Result>> {
    const isShared = await this.untilWithinShare(identity);
    return this.budget.doPart(identity.subject.id, () => isShared, part);
  }

  /** Called when rights may have changed: mutations that wait under former rights are not committed. */
  rightsChanged(change: TopicChange): void {
    this.#committer.revoke((mutation) => concerns(change, mutation));
  }

  /** Whether mutations are committed: the writer's connection answers. */
  isReady(): Promise<boolean> {
    return this.#sessions[0].isReady();
  }

  /** How many mutations were accepted and not answered yet. */
  waiting(): number {
    return this.#committer.waiting;
  }

  /** Waits until everything that was accepted has been answered, then closes the connections. */
  async close(): Promise<void> {
    await this.#committer.drain();
    for (const open of this.#sessions) await open.close();
    await this.#readContext.indexes.close();
    await Promise.all([this.#reads.close(), this.#readContext.exports.close()]);
  }

  /** Reads in the caller's turn, and again if another model was published meanwhile. */
  #read<Result>(identity: Identity, read: () => Promise<Result>): Promise<Result> {
    const { model } = this.#options;
    return this.#reads.run(identity, () =>
      withPublishedModel(model.refreshAfterFailure, read).catch((error: unknown) => {
        if (!(error instanceof TableMisfit)) throw error;
        throw misfitRefusal(error, { subject: identity.subject, model: model() });
      }),
    );
  }
}

/**
 * The caller as they are once they are within their share of the server's time, and whether others are active. Throws what
 * `current` throws, such as `session_ended`, also while they wait.
 */
export async function identityWithinShare(
  commands: Pick<Commands, "untilWithinShare">,
  current: () => Promise<Identity>,
): Promise<{ identity: Identity; isShared: boolean }> {
  const turn = commands.untilWithinShare(await current());
  while ((await Promise.race([turn, sleep(CHECK_MS, null)])) === null) await current();
  return { identity: await current(), isShared: await turn };
}

/** Whether the author of a mutation may have other rights now. */
function concerns({ topic, id }: TopicChange, { subject, actor }: Mutation): boolean {
  switch (topic) {
    case "user":
      return id === null || subject.id === id;
    case "role":
      return id === null || dependsOnRole(subject.role, id);
    case "token":
      return id === null || actor === `token:${id}`;
    case "model":
      return true;
    default:
      return false;
  }
}

/** Whether the author of a mutation has the name and the rights under which it was sent. False if that can't be read in time. */
function hasRightsAsSent(db: Db, { author, subject }: Mutation): Promise<boolean> {
  const compare = async () => {
    const found = await identify(db, author);
    const now = found && mutationOf(found, { ops: [] });
    return now !== null && isDeepStrictEqual([now.author, now.subject], [author, subject]);
  };
  return within(compare(), LOOK_UP_TIMEOUT_MS, false).catch(() => false);
}
