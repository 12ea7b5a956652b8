import type { RecordMark, RecordView } from "../../state/record-view.ts";
import { evaluateMark, isAbsent } from "./evaluate-mark.ts";
import type { Alignment } from "./row-loader.ts";
import type { WindowState } from "./window-state.ts";

export interface MarksDeps {
  state: WindowState;
  alignment(): Alignment;
  view(id: string): RecordView | undefined;
  /** Only the server knows whether this row belongs to the view. */
  requestRow(id: string): void;
  /** The view's total was reckoned on: the server is to count it again. */
  recount(): void;
}

/**
 * The marks of a view's rows: moved, gone, deleted. A record whose row is no longer its place in the
 * order keeps that row and is marked (C25), and the view's total follows the marks.
 */
export class RowMarks {
  readonly #deps: MarksDeps;
  readonly #marked = new WeakMap<RecordView, RecordView>();

  constructor(deps: MarksDeps) {
    this.#deps = deps;
  }

  /** The record as its row shows it: the same object as long as neither record nor mark changes. */
  get(id: string): RecordView | undefined {
    const view = this.#deps.view(id);
    const mark = this.#deps.alignment().order.marks.get(id) ?? null;
    if (!view || view.mark === mark || view.mark === "deleted") return view;
    const known = this.#marked.get(view);
    if (known?.mark === mark) return known;
    const made = { ...view, mark };
    this.#marked.set(view, made);
    return made;
  }

  /** Evaluates the marks of rows from the top, comparing each with rows already evaluated. */
  evaluate(ids: Iterable<string>): void {
    const { order } = this.#deps.alignment();
    const rows = [...ids].filter((id) => order.has(id));
    rows.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const notEvaluated = new Set(rows);
    for (const id of rows) {
      notEvaluated.delete(id);
      this.#evaluateOne(id, notEvaluated);
    }
  }

  #evaluateOne(id: string, notEvaluated: ReadonlySet<string>): void {
    const { alignment, view, requestRow } = this.#deps;
    const record = view(id);
    if (!record) return;
    const mark = evaluateMark(alignment(), record, view, notEvaluated);
    if (mark === undefined) requestRow(id);
    else this.set(id, mark);
  }

  set(id: string, mark: RecordMark | null): void {
    const { marks } = this.#deps.alignment().order;
    const before = marks.get(id) ?? null;
    if (before === mark) return;
    if (mark) marks.set(id, mark);
    else marks.delete(id);
    this.#deps.state.mark(id);
    this.adjustTotal(Number(!isAbsent(mark)) - Number(!isAbsent(before)));
  }

  /** So many records more belong to the view; the server's own count follows. */
  adjustTotal(more: number): void {
    if (more === 0) return;
    const { state, recount } = this.#deps;
    state.update({ total: Math.max(0, state.status.total + more) });
    recount();
  }
}
