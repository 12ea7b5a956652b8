import type { RecordMark, RecordView } from "../../state/record-view.ts";
import { evaluateMark, isAbsent } from "./evaluate-mark.ts";
import type { ShownRows } from "./shown-rows.ts";
import type { WindowProbe } from "./window-probe.ts";

/**
 * The marks of a view's rows: moved, gone, deleted. A record whose row is no longer its place in the
 * order keeps that row and is marked (C25), and the view's total follows the marks.
 */
export class RowMarks {
  readonly #shown: ShownRows;
  readonly #probe: WindowProbe;
  readonly #view: (id: string) => RecordView | undefined;
  readonly #marked = new WeakMap<RecordView, RecordView>();

  constructor(shown: ShownRows, probe: WindowProbe, view: (id: string) => RecordView | undefined) {
    this.#shown = shown;
    this.#probe = probe;
    this.#view = view;
  }

  /** The record as its row shows it: the same object as long as neither record nor mark changes. */
  get(id: string): RecordView | undefined {
    const view = this.#view(id);
    const mark = this.#shown.alignment.order.marks.get(id) ?? null;
    if (!view || view.mark === mark || view.mark === "deleted") return view;
    const known = this.#marked.get(view);
    if (known?.mark === mark) return known;
    const made = { ...view, mark };
    this.#marked.set(view, made);
    return made;
  }

  /** Evaluates the marks of rows from the top, comparing each with rows already evaluated. */
  evaluate(ids: Iterable<string>): void {
    const { order } = this.#shown.alignment;
    const rows = [...ids].filter((id) => order.has(id));
    rows.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const notEvaluated = new Set(rows);
    for (const id of rows) {
      notEvaluated.delete(id);
      this.#evaluateOne(id, notEvaluated);
    }
  }

  #evaluateOne(id: string, notEvaluated: ReadonlySet<string>): void {
    const record = this.#view(id);
    if (!record) return;
    const mark = evaluateMark(this.#shown.alignment, record, this.#view, notEvaluated);
    if (mark === undefined) this.#probe.requestRow(id);
    else this.set(id, mark);
  }

  set(id: string, mark: RecordMark | null): void {
    const { marks } = this.#shown.alignment.order;
    const before = marks.get(id) ?? null;
    if (before === mark) return;
    if (mark) marks.set(id, mark);
    else marks.delete(id);
    this.#shown.state.mark(id);
    this.adjustTotal(Number(!isAbsent(mark)) - Number(!isAbsent(before)));
  }

  /** So many records more belong to the view; the server's own count follows. */
  adjustTotal(more: number): void {
    if (more === 0) return;
    const { state } = this.#shown;
    state.update({ total: Math.max(0, state.status.total + more) });
    this.#probe.recount();
  }
}
