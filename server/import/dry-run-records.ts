import { createHash } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import type { KnownRecord, KnownRecords } from "./recognise.ts";

/** What an entry takes besides its text. */
const ENTRY_BYTES = 128;
const TWO_BYTE_CHARACTER = /[^\0-\u{ff}]/u;

/**
 * The records that earlier rows of a dry run would have created or changed, as they would have left them: a later row of the
 * same record builds on that. Rows that change nothing need no entry. A file that changes more than fits is refused, because
 * every answer about its further rows might be wrong.
 */
export class DryRunRecords {
  readonly #limit: number;
  /** By a hash of the identifying value: the record's id, and its values in the order of the columns. */
  readonly #entries = new Map<string, string>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Replaces what is stored by what earlier rows would have left. A value that several records have identifies none. */
  addTo(known: KnownRecords, identifying: Iterable<string>, { columns }: ColumnPlan): void {
    if (this.#entries.size === 0) return;
    for (const text of identifying) {
      const entry = this.#entries.get(hashOf(text));
      if (entry === undefined || (known.get(text)?.length ?? 0) > 1) continue;
      const [id, ...values] = JSON.parse(entry) as [string, ...Json[]];
      const named = columns.map(({ field }, index) => [field.name, values[index] ?? null]);
      known.set(text, [{ id, values: Object.fromEntries(named) }]);
    }
  }

  remember(text: string, { id, values }: KnownRecord, { columns }: ColumnPlan): void {
    const hash = hashOf(text);
    const entry = JSON.stringify([id, ...columns.map(({ field }) => values[field.name] ?? null)]);
    const replaced = this.#entries.get(hash);
    this.#bytes += bytesOf(entry) - (replaced === undefined ? 0 : bytesOf(replaced));
    if (this.#bytes > this.#limit) throw tooMany(this.#limit);
    this.#entries.set(hash, entry);
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest().toString("latin1", 0, 16);
}

function bytesOf(entry: string): number {
  return ENTRY_BYTES + entry.length * (TWO_BYTE_CHARACTER.test(entry) ? 2 : 1);
}

function tooMany(limit: number): Refusal {
  return new Refusal("too_large", { limit, unit: "bytes" }, explain("import.tooLargeForDryRun"));
}
