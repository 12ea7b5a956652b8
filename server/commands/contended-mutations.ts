import type { TouchedKeys } from "./touched-records.ts";

interface Held<Unit> {
  unit: Unit;
  touched: TouchedKeys;
  /** What later mutations wait for behind this one. */
  keys: ReadonlySet<string>;
  isRunning: boolean;
}

/**
 * Mutations that wait for locks of other programs, set aside so that no other mutation waits with them. Contention is
 * remembered: later mutations on the same records are held behind the first, in their order. The first of each is to be tried
 * with a long time-out (`next`). When what it waited for is free (`remove`), those behind it may return to the queue.
 */
export class ContendedMutations<Unit> {
  #held: Held<Unit>[] = [];
  #idle: PromiseWithResolvers<void> | null = null;

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Resolves when nothing is held. */
  async drained(): Promise<void> {
    if (this.isEmpty) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  /** Whether what a mutation touches is waited for by one that is held. */
  blocks(touched: TouchedKeys): boolean {
    return this.#held.some((held) => waitsFor(touched, held));
  }

  /** Sets a mutation aside; `contended` are keys that were found locked, besides the records that it writes. */
  add(unit: Unit, touched: TouchedKeys, contended: readonly string[] = []): void {
    const keys = new Set([...touched.records, ...contended]);
    this.#held.push({ unit, touched, keys, isRunning: false });
  }

  /** The next mutation that waits behind no other one. It counts as being tried until it is removed. */
  next(): Unit | null {
    const next = this.#held.find((held, index) => !held.isRunning && this.#isFirst(held, index));
    if (!next) return null;
    next.isRunning = true;
    return next.unit;
  }

  /**
   * Removes a mutation that was tried. If what it waited for is free, returns those that waited only for this one, in their order:
   * they are not held any more, and may be set aside again.
   */
  remove(unit: Unit, isFree: boolean): Unit[] {
    const tried = this.#held.find((held) => held.unit === unit);
    const isReleased = (held: Held<Unit>) =>
      isFree && tried !== undefined && !held.isRunning && waitsFor(held.touched, tried);
    const others = this.#held.filter((held) => held !== tried);
    this.#held = others.filter((held) => !isReleased(held));
    this.#resolveIfIdle();
    return others.filter(isReleased).map((held) => held.unit);
  }

  /** Withdraws a mutation that was not tried yet; false if it is being tried or is not held. */
  withdraw(unit: Unit): boolean {
    const before = this.#held.length;
    this.#held = this.#held.filter((held) => held.unit !== unit || held.isRunning);
    this.#resolveIfIdle();
    return this.#held.length < before;
  }

  #isFirst({ touched }: Held<Unit>, index: number): boolean {
    return !this.#held.slice(0, index).some((earlier) => waitsFor(touched, earlier));
  }

  #resolveIfIdle(): void {
    if (!this.isEmpty) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}

function waitsFor<Unit>(touched: TouchedKeys, { keys }: Held<Unit>): boolean {
  return touched.all.some((key) => keys.has(key));
}
