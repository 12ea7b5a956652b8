import { isTransient, Refusal } from "../../../shared/protocol/errors.ts";

/** No notice announces the end of what is transient. */
const RETRY_MS = 10_000;

/**
 * Reads data whenever that is requested, one call at a time: requests during a call cause one more after it, so that
 * its answer counts even where requests are more frequent than answers. Tries again after a transient refusal.
 */
export class RemoteReader<T> {
  readonly #load;
  readonly #onData;
  readonly #onError;
  #turn = 0;
  #isReading = false;
  #isRequested = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: {
    load(): Promise<T>;
    onData(data: T): void;
    onError(error: unknown): void;
  }) {
    this.#load = deps.load;
    this.#onData = deps.onData;
    this.#onError = deps.onError;
  }

  request(): void {
    if (this.#isReading) this.#isRequested = true;
    else this.restart();
  }

  /** Reads, and drops the answer of a call under way. */
  restart(): void {
    this.stop();
    const turn = this.#turn;
    const finish = (apply: () => void) => {
      if (turn !== this.#turn) return;
      this.#isReading = false;
      apply();
      if (this.#isRequested) this.restart();
    };
    this.#isReading = true;
    this.#load().then(
      (data) => finish(() => this.#onData(data)),
      (error: unknown) => finish(() => this.#fail(error)),
    );
  }

  /** Drops the answer of a call under way, and reads no more by itself. */
  stop(): void {
    this.#turn += 1;
    this.#isReading = false;
    this.#isRequested = false;
    clearTimeout(this.#retry);
  }

  #fail(error: unknown): void {
    this.#onError(error);
    const isRetried = error instanceof Refusal && isTransient(error.code);
    if (isRetried) this.#retry = setTimeout(() => this.request(), RETRY_MS);
  }
}
