import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import type { Overlay } from "../edits/overlay.ts";
import type { PageReader } from "../records/page-reader.ts";
import type { RecordCache } from "../records/record-cache.ts";

/**
 * Reads all records that are held again after a reset, visible ones first. Records not found are deleted.
 */
export class RecordReloader {
  readonly #deps;

  constructor(deps: {
    table: string;
    store: AtomStore;
    cache: RecordCache;
    reader: PageReader;
    overlay: Overlay;
    /** The views that are open. */
    rowLists(): Iterable<{ reload(): Promise<void> }>;
    /** The user's scope has changed: of the records with edits or unsaved texts only these may still be edited, and named. */
    onScopeChanged(visible: (record: string) => boolean): void;
  }) {
    this.#deps = deps;
  }

  /** Ends early, and answers false, when `isLatest` says that the stream began anew once more. */
  async run(mayHide: boolean, isLatest: () => boolean): Promise<boolean> {
    const { cache, overlay, rowLists } = this.#deps;
    await Promise.all([...rowLists()].map((rowList) => rowList.reload()));
    if (!isLatest()) return false;
    const unread = () => [
      ...cache.staleIds(),
      ...cache.missingIds().filter((id) => !overlay.isCreating(id)),
    ];
    await this.#untilDone(() => this.records(unread()), isLatest);
    if (mayHide) await this.#untilDone(() => this.#redactEdits(), isLatest);
    return isLatest();
  }

  /** Like `records`, again as long as it is refused and `isWanted`. */
  untilRead(ids: readonly string[], isWanted: () => boolean): Promise<void> {
    return this.#untilDone(() => this.records(ids), isWanted);
  }

  /** Nothing else would read again what the server had no time for, or failed on (C11): the table would stay as it is for ever. */
  async #untilDone(read: () => Promise<void>, isWanted: () => boolean): Promise<void> {
    for (let attempt = 0; isWanted(); attempt++) {
      try {
        await read();
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (isWanted()) await this.#deps.reader.pause(attempt, error);
      }
    }
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
    const { table, store, reader, overlay, onScopeChanged } = this.#deps;
    const asked = new Set<string>();
    const visibleIds = new Set<string>();
    const texts = () => store.get(unsavedTextsAtom).filter((text) => text.table === table);
    const all = () => [...overlay.records(), ...texts().map(({ record }) => record)];
    const unknown = () => [...new Set(all())].filter((record) => !asked.has(record));
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
