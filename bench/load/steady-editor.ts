import { setTimeout as sleep } from "node:timers/promises";
import { acceptInvitation, addUser } from "./api-session.ts";
import type { BenchEnvironment } from "./bench-environment.ts";
import { ProductLine } from "./product-line.ts";

const EDIT_EVERY_MS = 50;

/** A user of their own who edits one record, usually 20 times a second, and notes how long each answer took. */
export class SteadyEditor {
  readonly #line: ProductLine;
  readonly #record: string;
  readonly #everyMs: number;
  #stored: number | null = null;
  #serial = 0;

  private constructor(line: ProductLine, record: string, everyMs: number) {
    this.#line = line;
    this.#record = record;
    this.#everyMs = everyMs;
  }

  static async open(
    { api, urls: [url = ""], records: [record = ""] }: BenchEnvironment,
    everyMs = EDIT_EVERY_MS,
  ) {
    const { invitation } = await addUser(api, { name: "Other", email: "other@example.com" });
    const token = await acceptInvitation(url, invitation, "a password of the bench");
    return new SteadyEditor(await ProductLine.open(url, token), record, everyMs);
  }

  /** Milliseconds to the answer of each edit that was due while the task ran: one that waits for the edit before it has waited, too. */
  async during(task: () => Promise<unknown>): Promise<number[]> {
    const waits: number[] = [];
    let isDone = false;
    const ended = task().finally(() => {
      isDone = true;
    });
    let edited: Promise<void> = Promise.resolve();
    for (let due = performance.now(); !isDone; due += this.#everyMs) {
      await sleep(Math.max(0, due - performance.now()));
      const sent = performance.now();
      edited = edited
        .then(() => this.#edit())
        .then(() => void waits.push(performance.now() - sent));
    }
    await Promise.all([edited, ended]);
    return waits;
  }

  async #edit(): Promise<void> {
    const serial = ++this.#serial;
    const [set, base] = [{ reassignments: serial }, { reassignments: this.#stored }];
    const op = { op: "update", table: "incidents", record: this.#record, set, base } as const;
    await this.#line.mutate(crypto.randomUUID(), [op]);
    this.#stored = serial;
  }

  close(): void {
    this.#line.close();
  }
}
