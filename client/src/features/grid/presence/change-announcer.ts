import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { Flash } from "../../../sync/records/flash.ts";
import { announce } from "../../../ui/announce.ts";
import { formatList } from "../../../ui/numbers.ts";

/** Screen readers announce changes at most this often, whatever their rate. */
export const ANNOUNCE_EVERY_MS = 4_000;

/** What the field with a name, and the record with an id, is called. */
interface FlashLabels {
  field(name: string): string;
  record(id: string): string;
}

/** Announces changes by other users and the number of new records above the rows, the latest of both in one text. */
export class ChangeAnnouncer {
  readonly #labels: FlashLabels;
  readonly #say: (text: string) => void;
  #flashes: Flash[] = [];
  #waiting = 0;
  #hasMoreWaiting = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(labels: FlashLabels, say: (text: string) => void = announce) {
    this.#labels = labels;
    this.#say = say;
  }

  addFlashes(flashes: readonly Flash[]): void {
    if (flashes.length === 0) return;
    this.#flashes.push(...flashes);
    this.#announceLater();
  }

  /** So many new records wait above the rows now. Only more of them are announced. */
  setWaiting(count: number): void {
    if (count > this.#waiting) {
      this.#hasMoreWaiting = true;
      this.#announceLater();
    }
    this.#waiting = count;
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #announceLater(): void {
    this.#timer ??= setTimeout(() => this.#announce(), ANNOUNCE_EVERY_MS);
  }

  #announce(): void {
    const isWaiting = this.#hasMoreWaiting && this.#waiting > 0;
    const texts = [
      describeFlashes(this.#flashes, this.#labels),
      isWaiting ? messages.waitingAnnounced({ count: this.#waiting }) : null,
    ].filter((text) => text !== null);
    this.#timer = null;
    this.#flashes = [];
    this.#hasMoreWaiting = false;
    if (texts.length > 0) this.#say(texts.join(" "));
  }
}

/** Describes changes of other users, for screen readers; null if there are none. */
export function describeFlashes(
  flashes: readonly Flash[],
  { field: labelOf, record: titleOf }: FlashLabels,
): string | null {
  const others = flashes.filter((flash) => !flash.mine);
  const [first] = others;
  if (!first) return null;
  const names = [...new Set(others.map((flash) => flash.by.name))];
  const records = new Set(others.map((flash) => flash.record));
  if (records.size > 1) {
    return messages.changedRecords({ authors: joinNames(names), count: records.size });
  }
  const fields = [...new Set(others.map((flash) => labelOf(flash.field)))];
  return messages.changedFields({
    authors: joinNames(names),
    fields: joinNames(fields),
    record: titleOf(first.record),
  });
}

/** Names at most two and counts the rest. */
function joinNames(parts: readonly string[]): string {
  const more = parts.length - 2;
  return formatList(more > 0 ? [...parts.slice(0, 2), messages.more({ count: more })] : parts);
}
