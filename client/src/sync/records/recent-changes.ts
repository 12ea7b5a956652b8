import type { WireChange } from "../../../../shared/protocol/changes.ts";

/** More than this while a query is under way: the page will be asked for again. */
const MAX_CHANGES = 20_000;

/**
 * The changes that arrived while queries are under way, so that a page older than the stream can be
 * brought up to date. Retained only as long as a query may need them.
 */
export class RecentChanges {
  #from: number | null = null;
  #changes: WireChange[] = [];
  #queries = 0;

  /** A query begins at this position; call the answer when its page is dealt with. */
  begin(seq: number): () => void {
    this.#from ??= seq;
    this.#queries += 1;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#queries -= 1;
      if (this.#queries === 0) this.#clear(null);
    };
  }

  add(changes: readonly WireChange[], to: number): void {
    if (this.#from === null) return;
    if (this.#changes.length + changes.length > MAX_CHANGES) this.#clear(to);
    else for (const change of changes) this.#changes.push(change);
  }

  /** The stream was interrupted: changes before this position are not available any more. */
  restart(seq: number): void {
    this.#clear(this.#from === null ? null : seq);
  }

  /** The changes after `seq` by record, or null if some of them are not known. */
  after(seq: number): Map<string, WireChange[]> | null {
    if (this.#from === null || seq < this.#from) return null;
    const byRecord = new Map<string, WireChange[]>();
    for (const change of this.#changes) {
      if (change.seq <= seq) continue;
      const known = byRecord.get(change.record);
      if (known) known.push(change);
      else byRecord.set(change.record, [change]);
    }
    return byRecord;
  }

  #clear(from: number | null): void {
    this.#from = from;
    this.#changes = [];
  }
}
