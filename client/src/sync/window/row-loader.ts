import { usesDays } from "../../../../shared/filter/bind-filter.ts";
import { ownZone } from "../../../../shared/filter/zone.ts";
import type { Page } from "../../../../shared/protocol/feed.ts";
import type { Confirmed } from "../records/record-cache.ts";
import type { ViewQuery } from "./record-window.ts";
import type { RowOrder } from "./row-order.ts";
import type { ViewEvaluator, ViewRecord } from "./view-evaluator.ts";
import type { WaitingRecords } from "./waiting-records.ts";
import type { WindowDeps } from "./window-deps.ts";

/** Read beyond what is asked for, because blocks of a moving order overlap. */
const MARGIN_ROWS = 20;
/** A span is left short once so many times its records were read. */
const READS_MAX = 4;
/** How many rows before a span are searched for one that is in order. */
const REACH_ROWS = 200;

/** One order of one view, and what is known beside its rows. Replaced as a whole at alignment. */
export interface Alignment {
  view: ViewQuery;
  evaluator: ViewEvaluator;
  order: RowOrder;
  waiting: WaitingRecords;
  /** My new records that the server had when this was begun. */
  stored: readonly string[];
  /** Those of them that leave the place above the rows and get rows. */
  unpinned: readonly string[];
  /** Records that are shown above the rows and so not in them. */
  isPinned(id: string): boolean;
}

export interface Loaded {
  page: Page;
  /** The records that got a row. */
  placed: string[];
  /** Rows of the whole view, where the end of it was seen. */
  end: number | null;
}

/**
 * Reads spans of rows into an order that has aged: rows that stay where they are and new ones that
 * wait have moved the server's order against ours, so the offset is corrected by what is known, and
 * what overlaps all the same is left out.
 */
export class RowLoader {
  readonly #deps: WindowDeps;

  constructor(deps: WindowDeps) {
    this.#deps = deps;
  }

  /** Fills the rows [start, end); resolves null if the view has none there. */
  async load(alignment: Alignment, start: number, end: number): Promise<Loaded | null> {
    const { view, order } = alignment;
    const { reader } = this.#deps;
    const wanted = end - start + margin(order);
    let offset = Math.max(0, start + this.#shift(alignment, start));
    let loaded: Loaded | null = null;
    let row = start;
    for (let records = 0; records < READS_MAX * wanted && row < end; ) {
      const limit = Math.min(reader.pageMax, wanted);
      const call = { table: this.#deps.table, ...wireView(view), offset, limit };
      const isRead = await reader.read(call, (page, found) => {
        const { placed, next } = this.#place(alignment, found, row, end);
        row = next;
        const isLast = page.records.length < limit;
        loaded = {
          page,
          placed: [...(loaded?.placed ?? []), ...placed],
          end: isLast && row < end ? row : null,
        };
      });
      if (!isRead) continue;
      if (loaded && (loaded as Loaded).page.records.length < limit) break;
      offset += limit;
      records += limit;
    }
    return loaded;
  }

  #place(
    { order, waiting, isPinned }: Alignment,
    records: ReadonlyMap<string, Confirmed>,
    start: number,
    end: number,
  ): { placed: string[]; next: number } {
    const placed: string[] = [];
    // Another read may have filled some of these rows meanwhile.
    const nextEmpty = (from: number) => {
      let row = from;
      while (row < end && order.at(row) !== undefined) row += 1;
      return row;
    };
    let row = nextEmpty(start);
    for (const [id, record] of records) {
      if (row >= end) break;
      if (order.has(id) || waiting.has(id) || isPinned(id)) continue;
      order.place(row, id);
      this.#deps.cache.retain(id);
      this.#deps.cache.put(id, record);
      placed.push(id);
      row = nextEmpty(row + 1);
    }
    return { placed, next: row };
  }

  /** How far the server's order has moved against the rows before `start`. */
  #shift({ order, waiting, evaluator }: Alignment, start: number): number {
    const before = order.nearestUnmarked(start, -1, REACH_ROWS);
    const boundary = before === undefined ? undefined : this.#deps.view(before);
    const isBefore = (record: ViewRecord) =>
      boundary !== undefined && evaluator.compare(record, boundary) < 0;
    let shift = 0;
    for (const id of order.begun) if (order.indexOf(id) < start) shift -= 1;
    for (const record of waiting.all()) if (isBefore(record)) shift += 1;
    for (const [id, mark] of order.marks) {
      const record = this.#deps.view(id);
      const isShownBefore = order.indexOf(id) < start;
      const belongsBefore = mark === "moved" && record !== undefined && isBefore(record);
      shift += Number(belongsBefore) - Number(isShownBefore);
    }
    return shift;
  }
}

function margin(order: RowOrder): number {
  return MARGIN_ROWS + Math.min(order.marks.size, MARGIN_ROWS);
}

/** A view as a query carries it. */
export function wireView({ filter, sort, search, zone = ownZone() }: ViewQuery) {
  const days = filter && usesDays(filter) ? { zone } : {};
  return { filter, sort: [...sort], ...(search === "" ? {} : { search }), ...days };
}
