import { isDeepStrictEqual } from "node:util";
import { FILTER_MAX_VALUES } from "../../shared/filter/filter.ts";
import { memoize } from "../../shared/memoize.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { PreviewItem, PreviewStatus } from "../../shared/protocol/change-sets.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { type DryResult, NamedRecords } from "../commands/dry-run.ts";
import { redactFor } from "../commands/evaluate-op.ts";
import type { Op } from "../commands/op.ts";
import { nextPartSize } from "../load/budget.ts";
import {
  countVisibleOps,
  nextPlace,
  readFailed,
  readOps,
  readVisibleOps,
  type StoredStatus,
  type TriedOp,
  tablesOfSets,
} from "../store/change-sets/change-set-ops.ts";
import type { ChangeSetRow } from "../store/change-sets/change-sets.ts";
import type { Db } from "../store/database.ts";
import type { ChangeSetContext } from "./change-set-context.ts";
import { currentRights } from "./current-rights.ts";
import {
  countStatuses,
  EvaluatedItems,
  emptyCounts,
  type Page,
  type PreviewPage,
} from "./evaluated-items.ts";
import { KeyedCreates } from "./keyed-creates.ts";
import { opScopeOf } from "./op-scope.ts";
import {
  kindsOf,
  previewChange,
  previewResult,
  previewStored,
  statusOf,
  statusOfChange,
} from "./preview-op.ts";
import type { SelectedChange } from "./select-changes.ts";
import { fromStored } from "./stored-op.ts";

export interface FailedOp {
  index: number;
  error: ErrorBody;
}

interface Cached {
  set: string;
  version: number;
  subject: Subject;
  items: EvaluatedItems;
  at: number;
}

/** The ops of a set that are evaluated, by whom, and how others' evaluations come in between. */
interface Evaluated {
  identity: Identity;
  set: string;
  skip: ReadonlySet<number>;
  giveWay: () => Promise<void>;
}

const notFound = new Refusal("not_found").toBody();
/** Ops that are evaluated together. The edits of other users wait meanwhile. */
const CHUNK = { most: 250, least: 10, targetMs: 4 };
/** How long later pages come from the same evaluation as the first. */
const CACHE_MS = 60_000;
const CACHED_SETS = 2;

/** What a set would do, or did, op by op. */
export class Previews {
  readonly #context: ChangeSetContext;
  #cached: Cached[] = [];

  constructor(context: ChangeSetContext) {
    this.#context = context;
  }

  /**
   * A page of what a draft would do now. The first page evaluates all ops; the others show the same evaluation as far as
   * its values fit into CHANGE_SET_PREVIEW_MAX_BYTES, and evaluate all ops again beyond that.
   */
  async evaluated(identity: Identity, set: ChangeSetRow, page: Page): Promise<PreviewPage> {
    const { subject } = identity;
    const isSame = (one: Cached) =>
      one.set === set.id && one.version === set.version && isDeepStrictEqual(one.subject, subject);
    this.#cached = this.#cached.filter(({ at }) => performance.now() - at < CACHE_MS);
    const cached = page.offset > 0 ? this.#cached.find(isSame)?.items.page(page) : null;
    if (cached) return cached;
    const { CHANGE_SET_PREVIEW_MAX_BYTES: maxBytes } = this.#context.limits;
    const items = new EvaluatedItems(page, maxBytes);
    await this.#evaluate(identity, set, new Set(), (item) => items.add(item));
    const found = { set: set.id, version: set.version, subject, items, at: performance.now() };
    this.#cached = [
      ...(items.heldBytes <= maxBytes ? [found] : []),
      ...this.#cached.filter((one) => !isSame(one)),
    ].slice(0, CACHED_SETS);
    return items.page(page) as PreviewPage;
  }

  /** The ops that would not be applied now, the first `max` of each error, and those that have nothing to change. */
  async evaluation(
    identity: Identity,
    set: ChangeSetRow,
    skip: ReadonlySet<number>,
    max: number,
  ): Promise<{ failed: FailedOp[]; unchanged: number[] }> {
    const failed: FailedOp[] = [];
    const unchanged: number[] = [];
    const found = new Map<string, number>();
    await this.#evaluate(identity, set, skip, ({ index, status, errors }) => {
      if (status === "unchanged") unchanged.push(index);
      for (const error of errors as ErrorBody[]) {
        const count = (found.get(error.code) ?? 0) + 1;
        found.set(error.code, count);
        if (count <= max) failed.push({ index, error });
      }
    });
    return { failed, unchanged };
  }

  /** A page of what a set has changed, as the log shows it to a reader who is not its author. */
  async logged(
    identity: Identity,
    changes: readonly SelectedChange[],
    page: Page,
  ): Promise<PreviewPage> {
    const { offset, limit, status } = page;
    const oldestFirst = changes.toReversed().map(({ place, kind }, index) => {
      return { index, place, status: statusOfChange(kind) };
    });
    const counts = countStatuses(oldestFirst.map((one) => one.status));
    const matching = oldestFirst.filter((one) => status === undefined || one.status === status);
    const shown = matching.slice(offset, offset + limit);
    const places = shown.map(({ place }) => place);
    const read = await this.#context.commands.readEntriesAt(identity, places);
    const entries = new Map(read.map(({ place, entry }) => [place, entry]));
    const items = shown.flatMap(({ index, place }) => {
      const entry = entries.get(place);
      return entry ? [previewChange(index, entry)] : [];
    });
    return { counts, items, total: matching.length };
  }

  /** A page of the ops of a set, as they say themselves, with their outcomes. */
  async stored(identity: Identity, set: ChangeSetRow, page: Page): Promise<PreviewPage> {
    const { subject } = identity;
    const model = this.#context.model();
    const tables = await tablesOfSets(this.#db, [set.id]);
    const scope = opScopeOf(subject, model, tables);
    const isEnded = set.state !== "applying" && set.state !== "draft";
    const counts = emptyCounts();
    for (const { kind, status, count } of await countVisibleOps(this.#db, [set.id], scope)) {
      counts[previewStatus(kind, status, isEnded)] += count;
    }
    const ops = await readVisibleOps(this.#db, set.id, scope, {
      ...page,
      matching: page.status && storedAs(page.status, isEnded),
    });
    const fieldsIn = memoize((table: string) => fieldsOf(subject, { table }, model));
    const items = ops.map((stored) => {
      const op = fromStored(stored, model);
      const error = stored.error && this.#redact(subject, op, stored.error);
      const fields = fieldsIn(op.table);
      const { n, kind, status: outcome } = stored;
      const status = previewStatus(kind, outcome, isEnded);
      return previewStored(n, op, { fields, errors: error ? [error] : [], outcome, status });
    });
    return { counts, items, total: totalOf(counts, page) };
  }

  /**
   * Why ops were refused, as far as the set's author may know it today. At most the first of them, if there are very
   * many.
   */
  async storedFailures(
    { subject }: Identity,
    set: ChangeSetRow,
    limit: number,
  ): Promise<FailedOp[]> {
    const model = this.#context.model();
    const scope = opScopeOf(subject, model, await tablesOfSets(this.#db, [set.id]));
    const failed = await readFailed(this.#db, set.id, scope, limit);
    return failed.map(({ isVisible, ...stored }) => {
      const error = stored.error ?? notFound;
      const known = isVisible ? this.#redact(subject, fromStored(stored, model), error) : notFound;
      return { index: stored.n, error: known };
    });
  }

  get #db(): Db {
    return this.#context.database.kysely;
  }

  #redact(subject: Subject, op: Op, error: ErrorBody): ErrorBody {
    const model = this.#context.model();
    return redactFor(op, Refusal.fromBody(error), { subject, model }).toBody();
  }

  /** Evaluates the ops of a set in their order, chunk by chunk. Ends with `unavailable` when the reader's rights change. */
  async #evaluate(
    identity: Identity,
    set: ChangeSetRow,
    skip: ReadonlySet<number>,
    onItem: (item: PreviewItem) => void,
  ): Promise<void> {
    const { commands, model } = this.#context;
    const rights = await currentRights(this.#context, identity);
    const { previews, smallPreviews } = this.#context.commands.budget;
    const isSmall = (await nextPlace(this.#db, set.id)) <= CHUNK.most;
    await (isSmall ? smallPreviews : previews).run(identity.subject.id, async (giveWay) => {
      const named = new NamedRecords();
      const keyed = new KeyedCreates();
      await this.#eachChunk({ identity, set: set.id, skip, giveWay }, async (ops) => {
        for (const { op } of ops) {
          named.add(op, model());
          keyed.add(op, model());
        }
      });
      const most = Math.min(this.#context.limits.PAGE_MAX_RECORDS, FILTER_MAX_VALUES);
      await keyed.read(commands, identity, most);
      const dryRun = commands.dryRun(identity, named, { origin: set.origin });
      await this.#eachChunk({ identity, set: set.id, skip, giveWay }, async (ops) => {
        await rights.requireUnchanged();
        const results = await dryRun(ops.map(({ op }) => op));
        const present = model();
        const fieldsIn = memoize((table: string) => fieldsOf(identity.subject, { table }, present));
        for (const [place, { n, op }] of ops.entries()) {
          const fields = fieldsIn(op.table);
          const evaluated = results[place] as DryResult;
          const error = evaluated.ok ? keyed.errorOf(op, model()) : null;
          const result = error ? { ok: false as const, error } : evaluated;
          onItem(previewResult(n, op, result, fields));
        }
      });
    });
  }

  async #eachChunk(
    { identity, set, skip, giveWay }: Evaluated,
    use: (ops: { n: number; op: Op }[]) => Promise<void>,
  ): Promise<void> {
    let limit = CHUNK.least;
    for (let from = 0; ; ) {
      const { result: rows, ...done } = await this.#context.commands.paced(identity, async () => {
        const rows: TriedOp[] = await readOps(this.#db, set, { from, limit });
        const ops = rows
          .filter(({ n }) => !skip.has(n))
          .map((row) => ({ n: row.n, op: fromStored(row, this.#context.model()) }));
        if (ops.length) await use(ops);
        return rows;
      });
      if (rows.length < limit) return;
      await giveWay();
      from = (rows.at(-1) as TriedOp).n + 1;
      const { cpuMs: ms, isShared } = done;
      limit = nextPartSize(CHUNK, { units: rows.length, ms, isShared });
    }
  }
}

function fieldsOf(
  subject: Subject,
  { table: name }: Pick<Op, "table">,
  model: Model,
): readonly string[] {
  const table = findTable(model, name);
  return (table && scopeOf(subject, table)?.fields) ?? [];
}

/** What an op has done, or will do. Ops that were not tried before a set ended have changed nothing. */
function previewStatus(kind: string, status: TriedOp["status"], isEnded: boolean): PreviewStatus {
  if (status === "skipped" || status === "unchanged") return "unchanged";
  if (status === null && isEnded) return "unchanged";
  return status === "conflict" || status === "refused" ? "error" : statusOf(kind);
}

/** The kinds and outcomes of the ops that have a given status in the preview of an applied set: see `previewStatus`. */
function storedAs(status: PreviewStatus, isEnded: boolean): StoredStatus {
  const untried = [null];
  if (status === "error") return { outcomes: ["conflict", "refused"] };
  return status === "unchanged"
    ? { outcomes: ["skipped", "unchanged", ...(isEnded ? untried : [])] }
    : { kinds: kindsOf(status), outcomes: ["applied", ...(isEnded ? [] : untried)] };
}

function totalOf(counts: PreviewPage["counts"], { status }: Page): number {
  if (status) return counts[status];
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
