import { explain } from "../../shared/error-texts/explain.ts";
import type {
  ApplyAnswer,
  ApplyChangeSetCall,
  ChangeSetInfo,
  ChangeSetPreview,
  CreateChangeSetCall,
  PatchChangeSetCall,
  PreviewStatus,
} from "../../shared/protocol/change-sets.ts";
import { found, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { CorrectedRows, DraftImport, ImportReport } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import {
  countApplied,
  countOps,
  countOutcomes,
  deleteOps,
  nextPlace,
  readOpsAt,
  resetOps,
  writeOps,
} from "../store/change-sets/change-set-ops.ts";
import {
  type ChangeSetRow,
  deleteChangeSet,
  deleteOldCancelled,
  deleteOldRejects,
  deleteUnwritten,
  endWriting,
  findChangeSet,
  holdChangeSet,
  moveChangeSet,
  requestCancel,
  startApplying,
  touchChangeSet,
} from "../store/change-sets/change-sets.ts";
import type { Db } from "../store/database.ts";
import { isUnreachable } from "../store/is-unavailable.ts";
import { ApplyRunner, BATCH_MIN_OPS } from "./apply-runner.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { correctRows, fieldsOfColumns } from "./correct-rows.ts";
import { currentRights } from "./current-rights.ts";
import { Drafts } from "./drafts.ts";
import { type ImportRequest, importFile } from "./import-file.ts";
import { type FailedOp, Previews } from "./previews.ts";
import { RejectedRows, readReport } from "./rejected-rows.ts";
import { resolveConflicts } from "./resolve-conflicts.ts";
import { selectChanges } from "./select-changes.ts";
import {
  hasChangedRecords,
  requireCapacity,
  requireDraftBytes,
  requireImported,
  requireReadable,
  requireState,
  requireWritable,
  wrongState,
} from "./set-checks.ts";
import { toStored } from "./stored-op.ts";
import { isKnownByLog, isOwn, VisibleSets } from "./visible-sets.ts";

/** Conflicts and refusals that one answer holds of each. */
const REPORTED_MAX = 1_000;
/** Cancelled drafts of one user that are listed; they hold nothing but their title. */
const CANCELLED_RETAINED = 100;
/**
 * What may be asked of change sets. A set belongs to its author, who alone may change, apply and cancel it; who can
 * read what it has applied sees that much of it, and may revert it.
 */
export class ChangeSets {
  readonly #context: ChangeSetContext;
  readonly #runner: ApplyRunner;
  readonly #previews: Previews;
  readonly #sets: VisibleSets;
  readonly #drafts: Drafts;

  constructor(context: ChangeSetContext) {
    this.#context = context;
    this.#runner = new ApplyRunner(context);
    this.#previews = new Previews(context);
    this.#sets = new VisibleSets(context);
    this.#drafts = new Drafts(context);
  }

  list(identity: Identity, call: Parameters<VisibleSets["list"]>[1]): Promise<ChangeSetInfo[]> {
    return this.#context.commands.budget.changeSets.run(identity.subject.id, () =>
      this.#sets.list(identity, call),
    );
  }

  one(identity: Identity, id: string): Promise<ChangeSetInfo> {
    return this.#context.commands.budget.changeSets.run(identity.subject.id, () =>
      this.#sets.one(identity, id),
    );
  }

  /** Creates a draft: of ops, as the inverses of changes, or of one edit to all records that match. */
  async create(identity: Identity, call: CreateChangeSetCall): Promise<ChangeSetInfo> {
    return this.one(identity, await this.#drafts.create(identity, call));
  }

  async change(identity: Identity, id: string, call: PatchChangeSetCall): Promise<ChangeSetInfo> {
    const { add = [], replace = [], resolve = [], title } = call;
    requireWritable(call);
    const ops = [...add, ...replace.map(({ op }) => op)];
    requireReadable(identity.subject, this.#context.model(), ops);
    await this.#sets.own(identity, id);
    const { CHANGE_SET_DRAFTS_PER_USER_BYTES: maxBytes } = this.#context.limits;
    if (ops.length > 0) await requireDraftBytes(this.#db, maxBytes, identity);
    await this.#hold(id, async (tx, set) => {
      requireState(set, ["draft"]);
      requireImported(set);
      const total = await nextPlace(tx, id);
      const missing = replace.find(({ index }) => index >= total);
      if (missing) throw new Refusal("invalid_request", { at: "replace", index: missing.index });
      if (add.length) requireCapacity(this.#context.limits, total + add.length);
      const model = this.#context.model();
      const conflicting = await readOpsAt(tx, id, [...new Set(resolve.map(({ index }) => index))]);
      await writeOps(tx, id, [
        ...resolveConflicts(conflicting, resolve, model),
        ...replace.map(({ index, op }) => toStored(op, index, model)),
        ...add.map((op, index) => toStored(op, total + index, model)),
      ]);
      const hasOtherOps = add.length + replace.length + resolve.length > 0;
      await touchChangeSet(tx, id, { title, hasOtherOps });
    });
    return this.one(identity, id);
  }

  async remove(identity: Identity, id: string): Promise<void> {
    await this.#sets.authored(identity, id);
    await this.#hold(id, async (tx, set) => {
      requireState(set, ["draft", "cancelled"]);
      if (await hasChangedRecords(tx, set)) throw wrongState(set);
      await deleteChangeSet(tx, id);
    });
  }

  async preview(
    identity: Identity,
    id: string,
    call: {
      status?: PreviewStatus | undefined;
      limit?: number | undefined;
      offset?: number | undefined;
    },
  ): Promise<ChangeSetPreview> {
    const { PAGE_DEFAULT_RECORDS, PAGE_MAX_RECORDS } = this.#context.limits;
    const { limit = PAGE_DEFAULT_RECORDS, offset = 0, status } = call;
    if (limit > PAGE_MAX_RECORDS) {
      throw new Refusal("too_large", { limit: PAGE_MAX_RECORDS, size: limit });
    }
    const page = { limit, offset, status };
    await this.one(identity, id);
    const set = await this.#find(id);
    const { version } = set;
    const queued = <Result>(read: () => Promise<Result>) =>
      this.#context.commands.budget.changeSets.run(identity.subject.id, read);
    if (!isOwn(set, identity) || isKnownByLog(set)) {
      const call = { changeSet: id };
      const logged = await queued(async () => {
        const changes = await selectChanges(this.#context, identity, call, "cut");
        return this.#previews.logged(identity, changes, page);
      });
      return { ...logged, isEvaluated: false, version };
    }
    requireImported(set);
    // The ops of a file were evaluated when it was read. To do that again may take minutes if they are very many.
    const isEvaluated =
      set.state === "draft" &&
      (await countOps(this.#db, id)) <= this.#context.limits.CHANGE_SET_MAX_OPS;
    // Evaluations have a queue of their own: reading a set waits for none of them.
    const preview = await (isEvaluated
      ? this.#previews.evaluated(identity, set, page)
      : queued(() => this.#previews.stored(identity, set, page)));
    // Rows of a file that change nothing are no ops.
    const unchanged = preview.counts.unchanged + (set.import?.counts?.unchanged ?? 0);
    return { ...preview, counts: { ...preview.counts, unchanged }, isEvaluated, version };
  }

  /**
   * Applies a draft. Asked again of a set that is applied, or about to be, it answers how that goes. A large set is
   * applied after the answer.
   */
  async apply(
    identity: Identity,
    id: string,
    { version, atomic, skip = [] }: ApplyChangeSetCall,
  ): Promise<ApplyAnswer> {
    const { actor } = identity;
    const set = await this.#sets.own(identity, id);
    const rights = await currentRights(this.#context, identity);
    if (set.state === "cancelled" || set.state === "reverted") throw wrongState(set);
    const { CHANGE_SET_ATOMIC_MAX_OPS, MUTATION_MAX_OPS } = this.#context.limits;
    const wholeLimit = Math.min(CHANGE_SET_ATOMIC_MAX_OPS, MUTATION_MAX_OPS);
    const total = await countOps(this.#db, id);
    requireImported(set);
    if (set.state === "draft") {
      if (version !== undefined && version !== set.version) throw wrongState(set);
      if (atomic && total > wholeLimit) {
        throw new Refusal("too_large", { limit: wholeLimit, size: total, unit: "ops" });
      }
      let unchanged: readonly number[] = [];
      if (atomic !== false) {
        await this.#requireEvaluable(id);
        const found = await this.#previews.evaluation(identity, set, new Set(skip), REPORTED_MAX);
        if (found.failed.length) {
          const report = await this.#report(identity, id, found.failed);
          await rights.requireUnchanged();
          return report;
        }
        unchanged = found.unchanged;
      }
      const isWhole = (atomic ?? true) && total <= wholeLimit;
      const batchSize = isWhole ? Math.max(await nextPlace(this.#db, id), 1) : this.#firstBatchSize;
      await this.#db.transaction().execute(async (tx) => {
        if (!(await startApplying(tx, set, { actor, atomic: isWhole, batchSize })))
          throw wrongState(set);
        await resetOps(tx, id, { skip, unchanged });
      });
    }
    const running = this.#runner.run(id);
    if (total <= wholeLimit) await running;
    else running.catch(this.#context.onError);
    return rights.read(async (reader) => {
      const failed = isOwn(set, reader)
        ? await this.#previews.storedFailures(reader, set, 2 * REPORTED_MAX)
        : [];
      return this.#report(reader, id, failed);
    });
  }

  /** Adds the rows of a file to a draft. */
  async importIntoDraft(
    identity: Identity,
    id: string,
    request: ImportRequest,
  ): Promise<DraftImport> {
    await this.#sets.own(identity, id);
    const { CHANGE_SET_DRAFTS_PER_USER_BYTES: maxBytes } = this.#context.limits;
    await requireDraftBytes(this.#db, maxBytes, identity);
    return importFile(this.#context, id, request);
  }

  /**
   * Reads a file into a set that nobody finds before its end, and applies each of its ops by itself. A dry run deletes it instead,
   * and so does a file that neither changes nor rejects anything.
   */
  async importIntoTable(
    identity: Identity,
    { dryRun, ...request }: ImportRequest & { dryRun: boolean },
  ): Promise<ImportReport> {
    const { set, read } = await this.#drafts.write(identity, { origin: "import" }, async (id) => {
      const read = await importFile(this.#context, id, request);
      const hasEffect = !dryRun && read.created + read.updated + read.failed > 0;
      await this.#db.transaction().execute(async (tx) => {
        if (hasEffect) await this.#beginApplying(tx, identity, id);
        else await deleteChangeSet(tx, id);
      });
      return { set: hasEffect ? id : null, read };
    });
    if (set === null) return { ...read, dryRun, changeSet: null };
    const { CHANGE_SET_DRAFTS_PER_USER_BYTES: maxBytes } = this.#context.limits;
    if (read.failed > 0) await deleteOldRejects(this.#db, identity.subject.id, maxBytes);
    await this.#runner.run(set);
    // Whoever was signed out meanwhile learns that, and nothing of the rows.
    await request.currentIdentity();
    return this.#reportImport(set, read);
  }

  /** The rows of a set's file that were left out. */
  async rejects(identity: Identity, id: string): Promise<RejectedRows> {
    const set = await this.#sets.own(identity, id);
    return new RejectedRows(this.#db, set, fieldsOfColumns(set, this.#context, identity.subject));
  }

  /** Corrects a cell of rejected rows of a draft, which become changes of it where that was all that was wrong. */
  async correctRejected(
    identity: Identity,
    id: string,
    call: Parameters<typeof correctRows>[2],
  ): Promise<CorrectedRows> {
    const set = await this.#sets.own(identity, id);
    const correct = () => correctRows(this.#context, set, call);
    return this.#context.commands.budget.drafts.run(identity.subject.id, correct);
  }

  async cancel(identity: Identity, id: string): Promise<ChangeSetInfo> {
    await this.#sets.authored(identity, id);
    await this.#hold(id, async (tx, set) => {
      requireState(set, ["draft", "applying"]);
      if (set.state === "applying") await requestCancel(tx, id);
      else {
        await moveChangeSet(tx, id, { from: ["draft"], to: "cancelled" });
        // Nothing of it was applied, and nobody would apply it any more.
        await deleteOps(tx, id);
        await deleteOldCancelled(tx, identity.subject.id, CANCELLED_RETAINED);
      }
    });
    return this.one(identity, id);
  }

  /** A draft of the inverses of what a set has changed, as far as the reader can see that. */
  async revert(identity: Identity, id: string): Promise<ChangeSetInfo> {
    const set = await this.one(identity, id);
    if (set.state === "applying") throw wrongState(set);
    if (set.progress.applied === 0 && !(await hasChangedRecords(this.#db, await this.#find(id)))) {
      throw wrongState(set);
    }
    return this.one(identity, await this.#drafts.revert(identity, id));
  }

  /** Goes on with what a stopped server has left, now and from time to time. Returns the way to stop. */
  start(): () => Promise<void> {
    // That the database can't be reached is reported by whoever waits for it, not at each interval for work that may not exist.
    const report = (error: unknown) => {
      if (!isUnreachable(error)) this.#context.onError(error);
    };
    const resume = async () => {
      await deleteUnwritten(this.#db).catch(report);
      await this.#runner.resume().catch(report);
    };
    void resume();
    const { CHANGE_SET_RESUME_INTERVAL_MS: everyMs } = this.#context.limits;
    const timer = setInterval(() => void resume(), everyMs);
    return async () => {
      clearInterval(timer);
      await this.#runner.stop();
    };
  }

  /** Applies a set as soon as its file was read: one that a server leaves behind in between would stay unapplied. */
  async #beginApplying(tx: Db, { actor }: Identity, id: string): Promise<void> {
    if (!(await endWriting(tx, id))) throw unavailable();
    const how = { actor, atomic: false, batchSize: this.#firstBatchSize };
    await startApplying(tx, found(await findChangeSet(tx, id)), how);
  }

  /** What the rows of an applied file have come to. */
  async #reportImport(id: string, read: DraftImport): Promise<ImportReport> {
    const { state } = await this.#find(id);
    if (state === "cancelled") {
      throw new Refusal("conflict", { state, fields: {} }, explain("import.stopped"));
    }
    // This server stops; another one goes on.
    if (state === "applying") throw unavailable();
    const outcomes = await countOutcomes(this.#db, id);
    const countOf = (isCounted: (one: (typeof outcomes)[number]) => boolean) =>
      outcomes.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
    const counts = {
      created: countOf(({ isNew, status }) => isNew && status === "applied"),
      updated: countOf(({ isNew, status }) => !isNew && status === "applied"),
      unchanged: read.unchanged + countOf(({ status }) => status === "unchanged"),
    };
    const report = { ...read, ...counts, ...(await readReport(this.#db, id)), dryRun: false };
    const hasEffect = counts.created + counts.updated + report.failed > 0;
    if (!hasEffect) await deleteChangeSet(this.#db, id);
    return { ...report, changeSet: hasEffect ? id : null };
  }

  get #db(): Db {
    return this.#context.database.kysely;
  }

  get #firstBatchSize(): number {
    const { MUTATION_MAX_OPS, CHANGE_SET_BATCH_OPS } = this.#context.limits;
    return Math.min(CHANGE_SET_BATCH_OPS, MUTATION_MAX_OPS, BATCH_MIN_OPS);
  }

  /** Evaluating a set takes long, and the status of each op is held in memory. */
  async #requireEvaluable(id: string): Promise<void> {
    requireCapacity(this.#context.limits, await countOps(this.#db, id));
  }

  async #find(id: string): Promise<ChangeSetRow> {
    return found(await findChangeSet(this.#db, id));
  }

  async #hold(id: string, change: (tx: Db, set: ChangeSetRow) => Promise<void>): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await change(tx, found(await holdChangeSet(tx, id)));
    });
  }

  async #report(identity: Identity, id: string, failed: readonly FailedOp[]): Promise<ApplyAnswer> {
    const { state, progress } = await this.one(identity, id);
    const isConflict = ({ error }: FailedOp) => error.code === "conflict";
    return {
      state,
      // Like the results of a mutation: also of ops that carried records out of their author's reach.
      applied: await countApplied(this.#db, id),
      conflicts: failed
        .filter(isConflict)
        .slice(0, REPORTED_MAX)
        .map(({ index, error }) => ({ index, fields: (error.fields ?? {}) as never })),
      refused: failed.filter((one) => !isConflict(one)).slice(0, REPORTED_MAX),
      progress,
    };
  }
}
