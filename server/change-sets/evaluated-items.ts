import type {
  ChangeSetPreview,
  PreviewItem,
  PreviewStatus,
} from "../../shared/protocol/change-sets.ts";

export type PreviewPage = Omit<ChangeSetPreview, "version" | "isEvaluated">;

export interface Page {
  limit: number;
  offset: number;
  /** Only ops of this status. */
  status?: PreviewStatus | undefined;
}

/**
 * An evaluation of a set: the status of every op, and the items from the first of a page on. Holds the items of that
 * page, and of the following ones as many as fit into `maxBytes`.
 */
export class EvaluatedItems {
  readonly #page: Page;
  readonly #maxBytes: number;
  readonly #statuses: PreviewStatus[] = [];
  readonly #held = new Map<number, PreviewItem>();
  #heldBytes = 0;
  #isFull = false;
  /** Ops so far that have the status of the page. */
  #matching = 0;

  constructor(page: Page, maxBytes: number) {
    this.#page = page;
    this.#maxBytes = maxBytes;
  }

  /** Approximate size of the items that are held. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  add(item: PreviewItem): void {
    const { offset, limit, status } = this.#page;
    const place = this.#statuses.push(item.status) - 1;
    const isOnOrAfterPage = this.#matching >= offset;
    const isMatching = status === undefined || item.status === status;
    const isOnPage = isMatching && isOnOrAfterPage && this.#matching < offset + limit;
    if (isMatching) this.#matching += 1;
    if (!isOnOrAfterPage || (this.#isFull && !isOnPage)) return;
    const bytes = Buffer.byteLength(JSON.stringify(item));
    if (this.#heldBytes + bytes > this.#maxBytes) this.#isFull = true;
    if (this.#isFull && !isOnPage) return;
    this.#held.set(place, item);
    this.#heldBytes += bytes;
  }

  /** A page of the items; null where some of them are not held. */
  page({ limit, offset, status }: Page): PreviewPage | null {
    const counts = countStatuses(this.#statuses);
    const places = [...this.#statuses.keys()]
      .filter((place) => status === undefined || this.#statuses[place] === status)
      .slice(offset, offset + limit);
    const items = places.flatMap((place) => this.#held.get(place) ?? []);
    if (items.length < places.length) return null;
    return { counts, items, total: status ? counts[status] : this.#statuses.length };
  }
}

export function countStatuses(statuses: readonly PreviewStatus[]): ChangeSetPreview["counts"] {
  const counts = emptyCounts();
  for (const status of statuses) counts[status] += 1;
  return counts;
}

export const emptyCounts = (): ChangeSetPreview["counts"] => ({
  create: 0,
  update: 0,
  delete: 0,
  unchanged: 0,
  error: 0,
});
