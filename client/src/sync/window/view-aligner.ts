import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { ViewQuery } from "./record-window.ts";
import type { Alignment, Loaded, RowLoader } from "./row-loader.ts";
import { RUN_ROWS } from "./row-order.ts";
import type { ShownRows } from "./shown-rows.ts";

/** Rows [start, end). */
export interface Span {
  start: number;
  end: number;
}

interface AlignerEvents {
  /** The visible rows of the latest alignment are there: it takes the place of the one before. */
  onAligned(next: Alignment, loaded: Loaded | null, asked: Span): void;
  onFailed(error: unknown): void;
}

/**
 * Reads a view again beside the rows that are shown, and replaces them when the visible ones are loaded. Only the latest
 * requested alignment is applied.
 */
export class ViewAligner {
  readonly #shown: ShownRows;
  readonly #loader: RowLoader;
  readonly #events: AlignerEvents;
  #running: Promise<void> | null = null;
  #next: Alignment | null = null;
  #requests = 0;
  #isStopped = false;

  constructor(shown: ShownRows, loader: RowLoader, events: AlignerEvents) {
    this.#shown = shown;
    this.#loader = loader;
    this.#events = events;
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
    const shown = this.#shown;
    const next = shown.begin(view);
    this.#next = next;
    this.#requests += 1;
    const mine = this.#requests;
    const isLatest = () => mine === this.#requests && !this.#isStopped;
    const asked = this.#visibleRuns;
    const running = this.#fill(next, asked)
      .then((loaded) => {
        if (isLatest()) this.#events.onAligned(next, loaded, asked);
        else shown.release(next.order.ids());
      })
      .catch((error: unknown) => {
        shown.release(next.order.ids());
        if (isLatest()) this.#events.onFailed(error);
      })
      .finally(() => {
        if (!isLatest()) return;
        this.#running = null;
        this.#next = null;
      });
    this.#running = running;
    return running;
  }

  get #visibleRuns(): Span {
    const { visible } = this.#shown;
    const start = Math.floor(visible.start / RUN_ROWS) * RUN_ROWS;
    return { start, end: Math.max(start + RUN_ROWS, Math.ceil(visible.end / RUN_ROWS) * RUN_ROWS) };
  }

  /** The visible rows of a new alignment; from the top if the view has become shorter than that. */
  async #fill(next: Alignment, { start, end }: Span): Promise<Loaded | null> {
    const loaded = await this.#loader.load(next, start, end);
    if (start === 0 || (loaded && loaded.placed.length > 0)) return loaded;
    return this.#loader.load(next, 0, RUN_ROWS);
  }
}
