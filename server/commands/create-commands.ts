import { setTimeout as sleep } from "node:timers/promises";
import { dependsOnRole } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import type { Identity } from "../auth/identity.ts";
import { LongWork } from "../auth/part-size.ts";
import type { Revocation } from "../auth/revocations.ts";
import { TimeShares } from "../auth/time-shares.ts";
import { internalError, type ReportFailure } from "../policy/internal-error.ts";
import { misfitRefusal } from "../policy/misfit-refusal.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { TableMisfit } from "../store/model-fit.ts";
import { OffsetIndexes } from "../store/offset-indexes.ts";
import type { StoredPage } from "../store/pages.ts";
import { type Context, withPublishedModel } from "../store/published-model.ts";
import type { ReadTurns } from "../store/read-turns.ts";
import { SharedReads } from "../store/shared-reads.ts";
import { WriteSession } from "../store/write-session.ts";
import { isAsSent } from "./author-rights.ts";
import { Committer } from "./committer.ts";
import { DryRun, type NamedRecords } from "./dry-run.ts";
import { Exports } from "./exports.ts";
import { type MutationRequest, mutate } from "./mutate.ts";
import type { Mutation, Op } from "./op.ts";
import { previewRole } from "./preview-role.ts";
import { readActivity, readEntries, readEntriesAt, readPlacedActivity } from "./read-activity.ts";
import { readChanges } from "./read-changes.ts";
import { readHistory } from "./read-history.ts";
import { readMatching } from "./read-matching.ts";
import { readPage } from "./read-page.ts";
import { readRecord } from "./read-record.ts";
import { readSummary } from "./read-summary.ts";
import { Reads } from "./reads.ts";

/** How long a part of long work lets edits go first: others may edit all the time. */
const EDITS_FIRST_MAX_MS = 20;

export type Commands = ReturnType<typeof createCommands>;

/** Whether the author of a mutation may have other rights now. */
function concerns(change: Revocation, { subject, actor }: Mutation): boolean {
  switch (change.kind) {
    case "all":
      return true;
    case "user":
      return subject.id === change.user;
    case "role":
      return dependsOnRole(subject.role, change.role);
    case "token":
      return actor === `token:${change.token}`;
    default:
      return false;
  }
}

/** The commands behind REST, socket and import. Every function throws refusals of the catalogue. */
export function createCommands({
  database,
  model,
  limits,
  onCommit,
  onError,
}: Context & {
  /** After each commit, with what it added to the log: start-server.ts wakes the relay by it. */
  onCommit: (feeds: readonly FinalizedFeed[]) => void;
  /** An unforeseen error; its caller was answered `internal` with the reference. */
  onError: ReportFailure;
}) {
  const openSession = (lockTimeoutMs: number) =>
    new WriteSession(database, {
      lockTimeoutMs,
      answerTimeoutMs: limits.COMMIT_CONNECTION_TIMEOUT_MS,
    });
  const session = openSession(limits.COMMIT_LOCK_TIMEOUT_MS);
  const contendedSessions = Array.from({ length: limits.COMMIT_CONTENDED_PARALLEL }, () =>
    openSession(limits.COMMIT_PATIENCE_MS),
  );
  const onFailure = (error: unknown) => internalError(error, onError);
  const shares = new TimeShares({
    share: limits.TIME_SHARE_PER_USER_PERCENT / 100,
    burstMs: limits.TIME_SHARE_BURST_MS,
  });
  const longWork = new LongWork();
  const committer = new Committer({
    session,
    contendedSessions,
    model,
    limits,
    shares,
    refreshModel: model.refreshAfterFailure,
    isAsSent: (mutation) => isAsSent(database.kysely, mutation),
    onCommit,
    onFailure,
  });
  const reads = new Reads(database, limits, shares);
  const turns: ReadTurns = reads;
  const indexes = new OffsetIndexes({
    turns,
    // A reader with too many waiting reads gets the index by a later page.
    onError: (error) => error instanceof Refusal || onFailure(error),
    maxBytes: limits.OFFSET_INDEXES_MAX_BYTES,
    // Otherwise the connection would be ended before the statement is, and could not be rolled back.
    timeoutMs: Math.min(limits.OFFSET_INDEX_TIMEOUT_MS, limits.READ_TIMEOUT_MS),
  });
  const scans = new SharedReads();
  const deps = { database: reads.database, model, limits, indexes, scans };
  const exports = new Exports(database, deps);
  const read = <Result>(identity: Identity, attempt: () => Promise<Result>) =>
    reads.run(identity, () =>
      withPublishedModel(model.refreshAfterFailure, attempt).catch((error: unknown) => {
        if (!(error instanceof TableMisfit)) throw error;
        throw misfitRefusal(error, { subject: identity.subject, model: model() });
      }),
    );
  const reading =
    <Call extends unknown[], Result>(
      command: (given: typeof deps, subject: Subject, ...call: Call) => Promise<Result>,
    ) =>
    (identity: Identity, ...call: Call) =>
      read(identity, () => command(deps, identity.subject, ...call));
  /**
   * Resolves when the author of long work, such as an import, may do its next part: within their share of the server's time,
   * and after the edits that are being committed. True if others are active.
   */
  const untilWithinShare = async ({ subject }: Identity) => {
    const isShared = await shares.untilWithin(subject.id);
    if (isShared) await Promise.race([committer.idle(), sleep(EDITS_FIRST_MAX_MS)]);
    return isShared;
  };
  /** Does one part of long work after `untilWithinShare`, and rests after it if others are active. */
  const paced = async <Result>(identity: Identity, part: () => Promise<Result>) => {
    const isShared = await untilWithinShare(identity);
    return longWork.doPart(identity.subject.id, () => isShared, part);
  };
  return {
    reads: turns,
    untilWithinShare,
    paced,
    longWork,
    mutate: (identity: Identity, request: MutationRequest) =>
      mutate(committer, limits, identity, request),
    readPage: reading(readPage),
    /** The same for a caller from outside, as large as an answer may be. */
    answerPage: (identity: Identity, call: QueryCall) =>
      read(identity, () => readPage(deps, identity.subject, call, limits.PAGE_MAX_BYTES)),
    readRecord: reading(readRecord),
    readHistory: reading(readHistory),
    readChanges: reading(readChanges),
    readActivity: reading(readActivity),
    readPlacedActivity: reading(readPlacedActivity),
    readEntries: reading(readEntries),
    readEntriesAt: reading(readEntriesAt),
    readSummary: reading(readSummary),
    previewRole: reading(previewRole),
    /** Reads all records of a view in parts, at most `max`: those that matched at one moment, and still do when they are read. */
    readMatching: (
      identity: Identity,
      call: QueryCall,
      max: number,
      use: (records: StoredPage["records"]) => Promise<void>,
    ) =>
      readMatching(deps, identity.subject, call, {
        max,
        use,
        read: (part) => read(identity, part),
        paced: (part) => paced(identity, part),
      }),
    /** A text that is the same as long as the caller's rights to this export are. Throws `forbidden` where they have none. */
    exportRights: (identity: Identity, call: QueryCall, labels: boolean) =>
      exports.rightsOf(identity, call, labels),
    /** Takes one of the places of exports, until the returned function is called. */
    holdExport: (identity: Identity) => exports.hold(identity),
    /** All records of a view as of one moment, in batches. Needs the right to export, and a place. */
    exportRecords: (identity: Identity, call: QueryCall) => exports.read(identity, call),
    /** Evaluates ops chunk by chunk, as if each had been committed before the next, and writes nothing. */
    dryRun(identity: Identity, named: NamedRecords) {
      const run = new DryRun(deps, identity, named);
      return (ops: Op[]) => read(identity, () => run.evaluate(ops));
    },
    /** Called when rights may have changed: mutations that wait under former rights are not committed. */
    rightsChanged: (change: Revocation) =>
      committer.revoke((mutation) => concerns(change, mutation)),
    /** Whether mutations are committed: the writer's connection answers. */
    isReady: () => session.isReady(),
    /** How many mutations were accepted and not answered yet. */
    waiting: () => committer.waiting,
    /** Waits until everything that was accepted has been answered, then closes the connection. */
    async close() {
      await committer.drain();
      for (const open of [session, ...contendedSessions]) await open.close();
      await indexes.close();
      await Promise.all([reads.close(), exports.close()]);
    },
  };
}
