import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../../shared/filter/filter.ts";
import type { MutateAnswer } from "../../../shared/protocol/mutate.ts";

const PAUSE_MS = 20;

/**
 * Edits of some records, one after the other on each, without end: what was answered, and how late. While a fault lasts, an edit may be
 * answered `unavailable`, and is sent again; once it is over, that is a failure.
 */
export class SteadyEdits {
  readonly #call: (path: string, body: unknown) => Promise<Response>;
  readonly #working: Promise<void>[];
  #isStopping = false;
  #isFaultOver = false;
  #failure: Error | null = null;
  /** The title that each record holds by what was acknowledged, and the ids of the mutations. */
  readonly titles = new Map<string, Json>();
  readonly acknowledged: string[] = [];
  readonly statuses = new Set<number>();
  slowestMs = 0;

  constructor(
    { url, token }: { url: string; token: string },
    records: readonly { id: string; title: Json }[],
  ) {
    this.#call = (path, body) =>
      fetch(`${url}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    for (const { id, title } of records) this.titles.set(id, title);
    this.#working = records.map(({ id }) =>
      this.#edit(id).catch((error: Error) => {
        this.#failure ??= error;
      }),
    );
  }

  /** Resolves when every record was edited `count` times more. */
  async more(count: number): Promise<void> {
    const target = this.acknowledged.length + count * this.titles.size;
    while (this.acknowledged.length < target && !this.#failure) await sleep(PAUSE_MS);
    if (this.#failure) throw this.#failure;
  }

  /** From now on every edit must be taken when it is first sent. */
  faultIsOver(): void {
    this.#isFaultOver = true;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#working);
    if (this.#failure) throw this.#failure;
  }

  async #edit(record: string): Promise<void> {
    for (let n = 0; !this.#isStopping; n += 1) {
      const title = `${record} ${n}`;
      const base = { title: this.titles.get(record) ?? null };
      const op = { op: "update", table: "incidents", record, set: { title }, base };
      const id = `steady ${record} ${n} ${process.pid}`;
      await this.#retryUntilAnswered({ id, ops: [op] });
      this.titles.set(record, title);
      this.acknowledged.push(id);
      await sleep(PAUSE_MS);
    }
  }

  /** Sends the same mutation until it is answered; its effect must be there once. */
  async #retryUntilAnswered(mutation: { id: string; ops: unknown[] }): Promise<void> {
    for (;;) {
      const startedAt = performance.now();
      const mayBeUnavailable = !this.#isFaultOver;
      const response = await this.#call("/mutations", mutation);
      const answer = (await response.json()) as MutateAnswer;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      this.statuses.add(response.status);
      if (response.ok && answer.results[0]?.ok) return;
      if (response.status !== 503 || !mayBeUnavailable)
        throw new Error(JSON.stringify([response.status, answer]));
      await sleep(PAUSE_MS);
    }
  }
}
