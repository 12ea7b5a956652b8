import { explain } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { AtomStore } from "../src/state/atom-store.ts";
import { connectionAtom } from "../src/state/connection-state.ts";

/** The end of a connection: for good by the server, or by `close()`. */
export class Ending {
  /** Resolves when the server has ended it. */
  readonly refused: Promise<Refusal>;
  readonly #listeners = new Set<() => void>();
  #refusal: Refusal | null = null;
  #isClosed = false;

  constructor(store: AtomStore, token: string | undefined) {
    this.refused = new Promise((resolve) => {
      store.sub(connectionAtom, () => {
        const refusal = refusalOf(store.get(connectionAtom).kind, token);
        if (!refusal || this.#refusal) return;
        this.#refusal = refusal;
        resolve(refusal);
        this.#notify();
      });
    });
  }

  /** Why the server has ended it; null as long as it has not. */
  get refusal(): Refusal | null {
    return this.#refusal;
  }

  /** Whether the connection is over, for whatever reason. */
  get isOver(): boolean {
    return this.#isClosed || this.#refusal !== null;
  }

  close(): void {
    this.#isClosed = true;
    this.#notify();
  }

  /** Calls back once when the connection is over. Returns a function that stops it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The result, or a rejection once the server has ended the connection. `Promise.race` would hold on to every result until then. */
  orRefusal<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const check = () => this.#refusal && reject(this.#refusal);
      const stop = this.listen(check);
      check();
      void work.then(resolve, reject).finally(stop);
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function refusalOf(kind: string, token: string | undefined): Refusal | null {
  if (kind === "updateRequired") return new Refusal("update_required");
  if (kind !== "signedOut") return null;
  return new Refusal(
    "session_ended",
    {},
    token?.startsWith("wf_") ? explain("session.tokenEnded") : undefined,
  );
}
