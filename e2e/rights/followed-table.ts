import type { Values } from "../../shared/model/model.ts";
import type {
  ChangesMessage,
  Page,
  SubscribeAnswer,
  WireChange,
} from "../../shared/protocol/feed.ts";
import type { Answer } from "../../shared/protocol/socket.ts";

type Call = <T extends object>(event: string, message: object) => Promise<Answer<T>>;

/**
 * What a connection holds of a table: one page at first and after each `resync`, and from then on only what
 * it is sent. Empty while the table may not be read.
 */
export class FollowedTable {
  readonly records = new Map<string, Values>();
  /** The position up to which this is right; null while it is not followed. */
  seq: number | null = null;
  readonly #table: () => string;
  readonly #call: Call;
  #pending: ChangesMessage[] = [];
  #turn = 0;
  #place: { epoch: string; scope: string } | null = null;

  /** `table` is its present name. */
  constructor(table: () => string, call: Call) {
    this.#table = table;
    this.#call = call;
  }

  /** Purges what it held and reads again. */
  async begin(): Promise<void> {
    const turn = ++this.#turn;
    this.seq = null;
    this.records.clear();
    this.#pending = [];
    const answer = await this.#call<SubscribeAnswer>("subscribe", { table: this.#table() });
    if (!answer.ok || turn !== this.#turn) return;
    this.#place = { epoch: answer.epoch, scope: answer.scope };
    const page = await this.#call<Page>("query", { table: this.#table(), limit: 1_000 });
    if (!page.ok || turn !== this.#turn) return;
    for (const { id, values } of page.records) this.records.set(id, values);
    this.seq = page.seq;
    for (const frame of this.#pending) this.#apply(frame);
  }

  /** The connection is back: continues from its position, if the server can replay what was missed. */
  async resume(): Promise<void> {
    const { seq } = this;
    if (seq === null || !this.#place) return this.begin();
    const turn = ++this.#turn;
    const call = { table: this.#table(), after: { ...this.#place, seq } };
    const answer = await this.#call<SubscribeAnswer>("subscribe", call);
    if (turn !== this.#turn) return;
    if (!answer.ok || !answer.replay) return this.begin();
    this.#place = { epoch: answer.epoch, scope: answer.scope };
    for (const change of answer.replay) this.#applyOne(change);
    this.seq = Math.max(answer.seq, this.seq ?? 0);
  }

  /** Rights were granted again: a table that was refused may be readable now. */
  retry(): void {
    if (this.seq === null) this.begin().catch(() => undefined);
  }

  take(frame: ChangesMessage): void {
    if (this.seq === null) this.#pending.push(frame);
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
