import type { Overlay } from "../edits/overlay.ts";
import type { PageReader } from "../records/page-reader.ts";
import type { RecordCache } from "../records/record-cache.ts";

/**
 * Reads all cached records again after a reset, visible ones first. Records not found are deleted.
 */
export class RecordReloader {
  readonly #deps;

  constructor(deps: {
    table: string;
    cache: RecordCache;
    reader: PageReader;
    overlay: Overlay;
    /** The views that are open. */
    rowLists(): Iterable<{ reload(): Promise<void> }>;
    /** The user's scope has changed: only these records may still be edited. */
    onScopeChanged(visible: (record: string) => boolean): void;
  }) {
    this.#deps = deps;
  }

  /** Ends early, and answers false, when `isLatest` says that the stream began anew once more. */
  async run(mayHide: boolean, isLatest: () => boolean): Promise<boolean> {
    const { cache, rowLists } = this.#deps;
    await Promise.all([...rowLists()].map((rowList) => rowList.reload()));
    if (!isLatest()) return false;
    await this.records(cache.staleIds());
    if (!isLatest()) return false;
    if (mayHide) await this.#redactEdits();
    return isLatest();
  }

  async records(ids: readonly string[]): Promise<void> {
    const { table, cache, reader } = this.#deps;
    await reader.readIds(table, ids, (page, records, asked) => {
      for (const id of asked) {
        const record = records.get(id);
        if (record) cache.put(id, record);
        else cache.markDeleted(id, page.seq);
      }
    });
  }

  async #redactEdits(): Promise<void> {
    const { table, reader, overlay, onScopeChanged } = this.#deps;
    const asked = new Set<string>();
    const visibleIds = new Set<string>();
    const unknown = () => overlay.records().filter((record) => !asked.has(record));
    // Edits go on meanwhile: their records are asked for as well.
    for (let records = unknown(); records.length > 0; records = unknown()) {
      for (const record of records) {
        asked.add(record);
        if (overlay.isCreating(record)) visibleIds.add(record);
      }
      await reader.readIds(table, records, (_page, found) => {
        for (const [id, { deleted }] of found) if (!deleted) visibleIds.add(id);
      });
    }
    onScopeChanged((record) => visibleIds.has(record));
  }
}
