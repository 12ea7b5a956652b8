import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { HistoryEntry } from "../../shared/protocol/history.ts";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { Page, QueryCall } from "../../shared/protocol/query.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { PreviewRoleCall, RolePreview } from "../../shared/protocol/roles.ts";
import type { SummaryCall, SummaryRow } from "../../shared/protocol/summary.ts";
import type { Identity } from "../auth/identity.ts";
import type { Database } from "../store/database.ts";
import { byModelInForce } from "../store/model-moved.ts";
import type { SealedFeed } from "../store/sealed-change.ts";
import { WriteSession } from "../store/write-session.ts";
import { Committer } from "./committer.ts";
import { type MutationRequest, mutate } from "./mutate.ts";
import { previewRole } from "./preview-role.ts";
import {
  type ChangesPage,
  readChanges,
  readLatestChanges,
  type TableChange,
} from "./read-changes.ts";
import { readHistory } from "./read-history.ts";
import { readPage } from "./read-page.ts";
import { readRecord } from "./read-record.ts";
import { readSummary } from "./read-summary.ts";

export interface CommandsOptions {
  database: Database;
  model: () => Model;
  /** Takes up the newest version of the model. */
  refreshModel: () => Promise<void>;
  limits: Limits;
  /** After each commit, with what it added to the log: main.ts lets it wake the relay. */
  onCommit: (feeds: readonly SealedFeed[]) => void;
  /** An error that nobody foresaw; its caller was answered `internal`. */
  onError: (error: unknown) => void;
}

/** What the doors (REST, socket, import) may ask. Every function throws refusals of the catalogue. */
export interface Commands {
  mutate(identity: Identity, request: MutationRequest): Promise<MutateAnswer>;
  readPage(identity: Identity, call: QueryCall): Promise<Page>;
  readRecord(identity: Identity, table: string, id: string): Promise<WireRecord>;
  readHistory(
    identity: Identity,
    table: string,
    id: string,
    range?: { limit?: number | undefined; before?: number | undefined },
  ): Promise<HistoryEntry[]>;
  readSummary(identity: Identity, call: SummaryCall): Promise<SummaryRow[]>;
  /** What somebody would see of a table under a role that is only drafted. */
  previewRole(identity: Identity, call: PreviewRoleCall): Promise<RolePreview>;
  readChanges(
    identity: Identity,
    call: { table: string; after?: string | undefined; limit?: number | undefined },
  ): Promise<ChangesPage>;
  readLatestChanges(
    identity: Identity,
    call: { limit?: number | undefined },
  ): Promise<{ items: TableChange[]; total: number }>;
  /** Waits until everything that was accepted has been answered, then lets go of the connection. */
  close(): Promise<void>;
}

export function createCommands(options: CommandsOptions): Commands {
  const { database, model, refreshModel, limits, onCommit, onError } = options;
  const session = new WriteSession(database);
  const patientSession = new WriteSession(database);
  const maxWaiting = limits.COMMIT_QUEUE_MAX_MUTATIONS;
  const committer = new Committer({
    session,
    patientSession,
    database,
    model,
    maxWaiting,
    refreshModel,
    onCommit,
    onError,
  });
  const read = <Result>(attempt: () => Promise<Result>) => byModelInForce(refreshModel, attempt);
  return {
    mutate: (identity, request) => mutate({ committer, limits }, identity, request),
    readPage: (identity, call) => read(() => readPage(options, identity.subject, call)),
    readRecord: (identity, table, id) =>
      read(() => readRecord(options, identity.subject, table, id)),
    readHistory: (identity, table, id, range) =>
      read(() => readHistory(options, identity.subject, table, id, range)),
    readChanges: (identity, call) => read(() => readChanges(options, identity.subject, call)),
    previewRole: (identity, call) => read(() => previewRole(options, identity.subject, call)),
    readLatestChanges: (identity, call) =>
      read(() => readLatestChanges(options, identity.subject, call)),
    readSummary: (identity, call) => read(() => readSummary(options, identity.subject, call)),
    async close() {
      await committer.drain();
      await session.close();
      await patientSession.close();
    },
  };
}
