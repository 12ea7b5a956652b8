import type { EditStorage } from "../../transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import type { Clock } from "../clock.ts";

/** Longer than an edit waits for its storage. */
const SLOW_MAX_MS = 5_000;

/** A browser's storage that is slow while it is bad, and keeps the order of what it is asked for. */
export class BadStorage implements EditStorage {
  isBad = false;
  readonly #clock: Clock;
  readonly #storage = createMemoryEditStorage();
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  load(user: string) {
    return this.#inOrder(() => this.#storage.load(user));
  }

  putAll(mutations: Parameters<EditStorage["putAll"]>[0]) {
    const copies = structuredClone(mutations);
    return this.#inOrder(() => this.#storage.putAll(copies));
  }

  remove(ids: readonly string[]) {
    return this.#inOrder(() => this.#storage.remove(ids));
  }

  #inOrder<T>(task: () => Promise<T>): Promise<T> {
    const run = async () => {
      const ms = this.isBad && this.#clock.random() < 0.2 ? this.#clock.random() * SLOW_MAX_MS : 0;
      if (ms > 0) await new Promise<void>((resolve) => this.#clock.after(ms, resolve));
      return task();
    };
    const done = this.#last.then(run, run);
    this.#last = done.catch(() => {});
    return done;
  }
}
