import type { WireChange } from "../../../../shared/protocol/changes.ts";
import type { ViewQuery } from "./record-window.ts";
import type { Alignment, Loaded, RowLoader } from "./row-loader.ts";
import { RUN_ROWS } from "./row-order.ts";

export interface AlignerDeps {
  loader: RowLoader;
  /** An alignment without rows. */
  begin(view: ViewQuery): Alignment;
  visible(): { start: number; end: number };
  /** The visible rows of the latest alignment are there: it takes the place of the one before. */
  onAligned(next: Alignment, loaded: Loaded | null): void;
  onFailed(error: unknown): void;
  /** These rows will not be shown. */
  release(ids: Iterable<string>): void;
}

/**
 * Reads a view anew beside the rows that are shown, and hands the new rows over when the visible ones
 * are there. Only the latest alignment that was asked for comes to be.
 */
export class ViewAligner {
  readonly #deps: AlignerDeps;
  #running: Promise<void> | null = null;
  #next: Alignment | null = null;
  #requests = 0;
  #isStopped = false;

  constructor(deps: AlignerDeps) {
    this.#deps = deps;
  }

  /** Changes meanwhile may belong to the rows that are being read. */
  onChanges(changes: readonly WireChange[]): void {
    for (const { record } of changes) {
      if (this.#next && !this.#next.order.has(record)) this.#next.waiting.addUnknown(record);
    }
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Resolves when no alignment is under way. */
  async whenIdle(): Promise<void> {
    while (this.#running && !this.#isStopped) await this.#running;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when the rows are there, or an alignment asked for later has taken its place. */
  align(view: ViewQuery): Promise<void> {
    const { begin, onAligned, onFailed, release } = this.#deps;
    const next = begin(view);
    this.#next = next;
    this.#requests += 1;
    const mine = this.#requests;
    const isLatest = () => mine === this.#requests && !this.#isStopped;
    const running = this.#fill(next)
      .then((loaded) => {
        if (isLatest()) onAligned(next, loaded);
        else release(next.order.ids());
      })
      .catch((error: unknown) => {
        release(next.order.ids());
        if (isLatest()) onFailed(error);
      })
      .finally(() => {
        if (!isLatest()) return;
        this.#running = null;
        this.#next = null;
      });
    this.#running = running;
    return running;
  }

  /** The visible rows of a new alignment; from the top if the view has become shorter than that. */
  async #fill(next: Alignment): Promise<Loaded | null> {
    const { loader, visible } = this.#deps;
    const start = Math.floor(visible().start / RUN_ROWS) * RUN_ROWS;
    const end = Math.max(start + RUN_ROWS, Math.ceil(visible().end / RUN_ROWS) * RUN_ROWS);
    const loaded = await loader.load(next, start, end);
    if (start === 0 || (loaded && loaded.placed.length > 0)) return loaded;
    return loader.load(next, 0, RUN_ROWS);
  }
}
