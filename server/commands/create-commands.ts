import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import { dependsOnRole } from "../../shared/policy/role.ts";
import type { ActivityEntry, HistoryEntry } from "../../shared/protocol/history.ts";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { Page, QueryCall } from "../../shared/protocol/query.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { PreviewRoleCall, RolePreview } from "../../shared/protocol/roles.ts";
import type { Summary, SummaryCall } from "../../shared/protocol/summary.ts";
import type { Identity } from "../auth/identity.ts";
import { TimeShares } from "../auth/time-shares.ts";
import { internalError, type ReportFailure } from "../policy/internal-error.ts";
import type { Database } from "../store/database.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { withPublishedModel } from "../store/published-model.ts";
import type { StoredPage } from "../store/records.ts";
import { WriteSession } from "../store/write-session.ts";
import { Committer } from "./committer.ts";
import { type DryResult, DryRun, type NamedRecords } from "./dry-run.ts";
import { type ExportBatch, Exports } from "./exports.ts";
import { type MutationRequest, mutate } from "./mutate.ts";
import type { Mutation, Op } from "./op.ts";
import { previewRole } from "./preview-role.ts";
import {
  type ActivityCall,
  type ActivityPage,
  type ChangePlace,
  readActivity,
  readEntries,
} from "./read-activity.ts";
import { type ChangesPage, readChanges } from "./read-changes.ts";
import { readHistory } from "./read-history.ts";
import { readMatching, readPage } from "./read-page.ts";
import { readRecord } from "./read-record.ts";
import { readSummary } from "./read-summary.ts";
import { Reads } from "./reads.ts";

export interface CommandsOptions {
  database: Database;
  model: () => Model;
  /** Loads the newest version of the model. */
  refreshModel: () => Promise<void>;
  limits: Limits;
  /** After each commit, with what it added to the log: start-server.ts wakes the relay by it. */
  onCommit: (feeds: readonly FinalizedFeed[]) => void;
  /** An unforeseen error; its caller was answered `internal` with the reference. */
  onError: ReportFailure;
}

/** How long a part of long work lets edits go first: others may edit all the time. */
const EDITS_FIRST_MAX_MS = 20;

/** The commands behind REST, socket and import. Every function throws refusals of the catalogue. */
export interface Commands {
  mutate(identity: Identity, request: MutationRequest): Promise<MutateAnswer>;
  readPage(identity: Identity, call: QueryCall): Promise<Page>;
  /** All records of a view as of one moment, at most `max`. */
  readMatching(identity: Identity, call: QueryCall, max: number): Promise<StoredPage["records"]>;
  /** A text that is the same as long as the caller's rights to export a table are. Throws `forbidden` where they have none. */
  exportRights(identity: Identity, table: string): string;
  /** Takes one of the places of exports, until the returned function is called. */
  holdExport(identity: Identity): Promise<() => void>;
  /** All records of a view as of one moment, in batches. Needs the right to export, and a place. */
  exportRecords(identity: Identity, call: QueryCall): AsyncGenerator<ExportBatch>;
  readRecord(identity: Identity, table: string, id: string): Promise<WireRecord>;
  readHistory(
    identity: Identity,
    table: string,
    id: string,
    range?: { limit?: number | undefined; before?: number | undefined },
  ): Promise<HistoryEntry[]>;
  readSummary(identity: Identity, call: SummaryCall): Promise<Summary>;
  /** What a user would see of a table under a draft of a role. */
  previewRole(identity: Identity, call: PreviewRoleCall): Promise<RolePreview>;
  readChanges(
    identity: Identity,
    call: { table: string; after?: string | undefined; limit?: number | undefined },
  ): Promise<ChangesPage>;
  readActivity(identity: Identity, call: ActivityCall): Promise<ActivityPage>;
  /**
   * Resolves when the author of long work, such as an import, may do its next part: within their share of the server's time,
   * and after the edits that are being committed. True if others are active.
   */
  untilWithinShare(identity: Identity): Promise<boolean>;
  /** Of changes named by their places in the log those that the activity shows, newest first. */
  readEntries(identity: Identity, changes: readonly ChangePlace[]): Promise<ActivityEntry[]>;
  /** Evaluates ops chunk by chunk, as if each had been committed before the next, and writes nothing. */
  dryRun(identity: Identity, named: NamedRecords): (ops: Op[]) => Promise<DryResult[]>;
  /** Called when rights changed: mutations that wait under the former rights are not committed. */
  rightsChanged(change: RightsChange): void;
  /** Whether mutations are committed: the writer's connection answers. */
  isReady(): Promise<boolean>;
  /** How many mutations were accepted and not answered yet. */
  waiting(): number;
  /** Waits until everything that was accepted has been answered, then closes the connection. */
  close(): Promise<void>;
}

/** Whose rights changed: a user's, those of a role or of an API token, or anybody's. Other kinds concern no mutation. */
export interface RightsChange {
  kind: string;
  user?: string;
  role?: string;
  token?: string;
}

function concerns(change: RightsChange, { subject, actor }: Mutation): boolean {
  const { kind, user, role, token } = change;
  return (
    kind === "all" ||
    subject.id === user ||
    (role !== undefined && dependsOnRole(subject.role, role)) ||
    (token !== undefined && actor === `token:${token}`)
  );
}

export function createCommands(options: CommandsOptions): Commands {
  const { database, model, refreshModel, limits, onCommit, onError } = options;
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
  const committer = new Committer({
    session,
    contendedSessions,
    model,
    limits,
    shares,
    refreshModel,
    onCommit,
    onFailure,
  });
  const reads = new Reads({ ...options, shares });
  const deps = { ...options, database: reads.database };
  const exports = new Exports({ ...options, reads: deps });
  const read = <Result>(identity: Identity, attempt: () => Promise<Result>) =>
    reads.run(identity, () => withPublishedModel(refreshModel, attempt));
  const commands: Commands = {
    mutate: (identity, request) => mutate({ committer, limits }, identity, request),
    readPage: (identity, call) => read(identity, () => readPage(deps, identity.subject, call)),
    readMatching: (identity, call, max) =>
      read(identity, () => {
        const pause = () => commands.untilWithinShare(identity);
        return readMatching(deps, identity.subject, call, { max, pause });
      }),
    exportRights: (identity, table) => exports.rightsOf(identity, table),
    holdExport: (identity) => exports.hold(identity),
    exportRecords: (identity, call) => exports.read(identity, call),
    readRecord: (identity, table, id) =>
      read(identity, () => readRecord(deps, identity.subject, table, id)),
    readHistory: (identity, table, id, range) =>
      read(identity, () => readHistory(deps, identity.subject, table, id, range)),
    readChanges: (identity, call) =>
      read(identity, () => readChanges(deps, identity.subject, call)),
    previewRole: (identity, call) =>
      read(identity, () => previewRole(deps, identity.subject, call)),
    readActivity: (identity, call) =>
      read(identity, () => readActivity(deps, identity.subject, call)),
    readSummary: (identity, call) =>
      read(identity, () => readSummary(deps, identity.subject, call)),
    async untilWithinShare({ subject }) {
      const isShared = await shares.untilWithin(subject.id);
      if (isShared) await Promise.race([committer.idle(), sleep(EDITS_FIRST_MAX_MS)]);
      return isShared;
    },
    readEntries: (identity, changes) =>
      read(identity, () => readEntries(deps, identity.subject, changes)),
    dryRun(identity, named) {
      const run = new DryRun(deps, identity, named);
      return (ops) => read(identity, () => run.evaluate(ops));
    },
    rightsChanged: (change) => committer.revoke((mutation) => concerns(change, mutation)),
    isReady: () => session.isReady(),
    waiting: () => committer.waiting,
    async close() {
      await committer.drain();
      for (const open of [session, ...contendedSessions]) await open.close();
      await Promise.all([reads.close(), exports.close()]);
    },
  };
  return commands;
}
