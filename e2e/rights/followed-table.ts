import type { Values } from "../../shared/model/model.ts";
import type { ChangesMessage, WireChange } from "../../shared/protocol/changes.ts";
import type { Page } from "../../shared/protocol/query.ts";
import type { Answer } from "../../shared/protocol/socket.ts";

type Call = <T extends object>(event: string, message: object) => Promise<Answer<T>>;

/**
 * What a connection holds of a table: one page at first and after each `resync`, and from then on
 * nothing but what it is told. Empty while the table may not be read.
 */
export class FollowedTable {
  readonly records = new Map<string, Values>();
  /** The position up to which this is true; null while it is not followed. */
  seq: number | null = null;
  readonly #table: string;
  readonly #call: Call;
  #told: ChangesMessage[] = [];
  #turn = 0;

  constructor(table: string, call: Call) {
    this.#table = table;
    this.#call = call;
  }

  /** Purges what it held and begins anew. */
  async begin(): Promise<void> {
    const turn = ++this.#turn;
    this.seq = null;
    this.records.clear();
    this.#told = [];
    const { ok } = await this.#call("subscribe", { table: this.#table });
    if (!ok || turn !== this.#turn) return;
    const page = await this.#call<Page>("query", { table: this.#table, limit: 1_000 });
    if (!page.ok || turn !== this.#turn) return;
    for (const { id, values } of page.records) this.records.set(id, values);
    this.seq = page.seq;
    for (const frame of this.#told) this.#apply(frame);
  }

  /** Rights came back: a table that was refused may be there now. */
  retry(): void {
    if (this.seq === null) void this.begin();
  }

  take(frame: ChangesMessage): void {
    if (this.seq === null) this.#told.push(frame);
    else this.#apply(frame);
  }

  #apply({ to, changes }: ChangesMessage): void {
    for (const change of changes) if (change.seq > (this.seq ?? 0)) this.#applyOne(change);
    this.seq = Math.max(this.seq ?? 0, to);
  }

  #applyOne({ kind, record, set }: WireChange): void {
    if (kind === "delete") this.records.delete(record);
    else
      this.records.set(record, kind === "insert" ? set : { ...this.records.get(record), ...set });
  }
}
