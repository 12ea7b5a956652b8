import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { Grouping } from "../../../../../shared/model/view/view.ts";
import type { GridController } from "../grid-controller.ts";
import { groupKey } from "./group-filter.ts";

/** Marks the rows on the screen above which another group ends, once per frame. Returns a function that ends it. */
export function markGroupStarts(
  grid: GridController,
  field: Field,
  grouping: Grouping,
  zone: string,
): () => void {
  const { api, host, window } = grid;
  let frame = 0;
  const keyAt = (index: number): Json | undefined => {
    const record = window.at(index);
    return record && groupKey(field, grouping, record.values[field.name] ?? null, zone);
  };
  const mark = (isGrouped = true) => {
    frame = 0;
    for (const row of host.querySelectorAll<HTMLElement>(".ag-row[row-index]")) {
      const index = Number(row.getAttribute("row-index"));
      const [key, above] = [keyAt(index), keyAt(index - 1)];
      const isStart = key !== undefined && above !== undefined && !deepEqual(key, above);
      row.toggleAttribute("data-group-start", isGrouped && isStart);
    }
  };
  const markSoon = () => {
    frame ||= requestAnimationFrame(() => mark());
  };
  const events = ["modelUpdated", "viewportChanged", "bodyScroll"] as const;
  for (const event of events) api.addEventListener(event, markSoon);
  const stop = window.onRows(markSoon);
  markSoon();
  return () => {
    stop();
    cancelAnimationFrame(frame);
    mark(false);
    if (!api.isDestroyed()) for (const event of events) api.removeEventListener(event, markSoon);
  };
}
