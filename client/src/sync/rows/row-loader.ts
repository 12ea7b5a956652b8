import type { Page } from "../../../../shared/protocol/feed.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { CoreParts } from "../core-parts.ts";
import type { PageReader } from "../records/page-reader.ts";
import type { Confirmed, RecordCache } from "../records/record-cache.ts";
import { place, shiftBefore } from "./arrange-rows.ts";
import type { OwnRows } from "./own-rows.ts";
import { type RowTable, RUN_ROWS, type Span } from "./row-table.ts";
import { wireView } from "./view-query.ts";

/** Read beyond what is asked for, because blocks of a moving order overlap. */
const MARGIN_ROWS = 20;
/** A span is left short once so many times its records were read. */
const READS_MAX = 4;

/** The followed table that row lists take their records from. */
export interface RowSource extends CoreParts {
  table: string;
  cache: RecordCache;
  reader: PageReader;
  /** How far the table has been followed. */
  position(): number | undefined;
  view(id: string): RecordView | undefined;
  /** Whether the record is one that I am creating. */
  isMyCreate(id: string): boolean;
}

export interface Loaded {
  page: Page;
  /** The records that got a row. */
  placed: string[];
  /** Rows of the whole view, where the end of it was seen. */
  end: number | null;
}

/**
 * Reads spans of rows into a table that has aged: rows that stay where they are and new ones that wait have moved the server's order
 * against ours, so the offset is corrected by what is known, and what overlaps all the same is left out.
 */
export class RowLoader {
  readonly #source: RowSource;
  readonly #own: OwnRows;

  constructor(source: RowSource, own: OwnRows) {
    this.#source = source;
    this.#own = own;
  }

  /** The rows of a new table; from the top if the view has become shorter than that. */
  async loadFirst(table: RowTable, { start, end }: Span): Promise<Loaded | null> {
    const loaded = await this.load(table, { start, end });
    if (start === 0 || (loaded && loaded.placed.length > 0)) return loaded;
    return this.load(table, { start: 0, end: RUN_ROWS });
  }

  /** Fills the rows of a span; resolves null if the view has none there. */
  async load(table: RowTable, { start, end }: Span): Promise<Loaded | null> {
    const { reader, view } = this.#source;
    const wanted = end - start + MARGIN_ROWS + Math.min(table.marks.size, MARGIN_ROWS);
    let offset = Math.max(0, start + shiftBefore(table, start, view));
    let loaded: Loaded | null = null;
    let row = start;
    for (let records = 0; records < READS_MAX * wanted && row < end; ) {
      const limit = Math.min(reader.pageMax, wanted);
      const call = { table: this.#source.table, ...wireView(table.view), offset, limit };
      const isRead = await reader.read(call, (page, found) => {
        const { placed, next, left } = this.#place(table, found, { start: row, end });
        row = next;
        const isLast = page.records.length < limit;
        // An exact total says more than rows that are full: it knows those that have no place among them.
        const isEnd = isLast && (row < end || !page.totalExact);
        loaded = {
          page,
          placed: [...(loaded?.placed ?? []), ...placed],
          end: isEnd ? row + left : null,
        };
      });
      if (!isRead) continue;
      if (loaded && (loaded as Loaded).page.records.length < limit) break;
      offset += limit;
      records += limit;
    }
    return loaded;
  }

  #place(table: RowTable, found: ReadonlyMap<string, Confirmed>, span: Span) {
    const isAbove = (id: string) => this.#own.isAbove(id) && !table.leaving.includes(id);
    const result = place(table, found.keys(), span, isAbove);
    for (const id of result.placed) {
      const record = found.get(id) as Confirmed;
      this.#source.cache.put(id, record);
      table.notePlace({ id, values: record.values });
    }
    return result;
  }
}
