import type { RecordMark, RecordView } from "../../state/record-view.ts";
import type { Alignment } from "./row-loader.ts";

/** A row is compared with neighbours at most this far away, since many rows may be displaced at once. */
const NEIGHBOUR_REACH_ROWS = 64;

/**
 * The mark for a record in its present row; undefined if only the server knows. Rows in `notEvaluated`
 * may be displaced themselves, so they are not compared with.
 */
export function evaluateMark(
  { order, evaluator }: Alignment,
  record: RecordView,
  view: (id: string) => RecordView | undefined,
  notEvaluated: ReadonlySet<string>,
): RecordMark | null | undefined {
  if (record.mark === "deleted") return "deleted";
  if (order.begun.has(record.id)) return null;
  const matches = evaluator.matches(record);
  if (matches === null) return undefined;
  if (!matches) return "gone";
  const index = order.indexOf(record.id);
  const isMisplaced = (step: 1 | -1) => {
    const other = order.nearestUnmarked(index, step, NEIGHBOUR_REACH_ROWS, notEvaluated);
    const neighbour = other === undefined ? undefined : view(other);
    return neighbour !== undefined && evaluator.compare(record, neighbour) * step > 0;
  };
  return isMisplaced(-1) || isMisplaced(1) ? "moved" : null;
}

/** Whether a row with this mark is none of the view's records any more. */
export function isAbsent(mark: RecordMark | null): boolean {
  return mark === "gone" || mark === "deleted";
}
