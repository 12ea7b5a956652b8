/** What a mutation touches, as keys; see `touchedKeys`. */
export interface TouchedKeys {
  /** The records that it writes. */
  records: readonly string[];
  /** Everything it waits for if contended: records, link targets and whole tables. */
  all: readonly string[];
}

interface Held<Unit> {
  unit: Unit;
  touched: TouchedKeys;
  /** What later mutations wait for behind this one. */
  keys: ReadonlySet<string>;
  isRunning: boolean;
}

interface ContendedOptions<Unit> {
  /** How many are tried at once. */
  parallel: number;
  touched: (unit: Unit) => TouchedKeys;
  /** Commits one with a long time-out. Returns whether what it waited for is free now. */
  attempt: (unit: Unit) => Promise<boolean>;
  /** Receives mutations that need not wait any longer, in their order. */
  requeue: (units: Unit[]) => void;
}

/**
 * Mutations that wait for locks of other programs, set aside so that no other mutation waits with them.
 * Contention is remembered: later mutations on the same records are held behind the first, in their order.
 * The first of each is tried with a long time-out, `parallel` at once. When it succeeds, those behind it
 * return to the queue.
 */
export class ContendedMutations<Unit> {
  readonly #options: ContendedOptions<Unit>;
  #held: Held<Unit>[] = [];
  #running = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(options: ContendedOptions<Unit>) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Resolves when nothing is held. */
  async drained(): Promise<void> {
    if (this.isEmpty) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  /** Holds a mutation if it has to wait behind another one; otherwise returns false. */
  holdBehind(unit: Unit): boolean {
    if (this.isEmpty) return false;
    const touched = this.#options.touched(unit);
    if (!this.#held.some((held) => waitsFor(touched, held))) return false;
    this.#hold(unit, touched, []);
    return true;
  }

  /** Sets a mutation aside; `contended` are the keys that were found locked. */
  setAside(unit: Unit, contended: readonly string[]): void {
    this.#hold(unit, this.#options.touched(unit), contended);
  }

  /** Withdraws a mutation that was not tried yet; false if it is being tried or is not held. */
  withdraw(unit: Unit): boolean {
    const before = this.#held.length;
    this.#held = this.#held.filter((held) => held.unit !== unit || held.isRunning);
    this.#resolveIfIdle();
    return this.#held.length < before;
  }

  #hold(unit: Unit, touched: TouchedKeys, contended: readonly string[]): void {
    const keys = new Set([...touched.records, ...contended]);
    this.#held.push({ unit, touched, keys, isRunning: false });
    this.#start();
  }

  #start(): void {
    while (this.#running < this.#options.parallel) {
      const next = this.#held.find((held, index) => !held.isRunning && this.#isFirst(held, index));
      if (!next) return;
      void this.#try(next);
    }
  }

  #isFirst({ touched }: Held<Unit>, index: number): boolean {
    return !this.#held.slice(0, index).some((earlier) => waitsFor(touched, earlier));
  }

  async #try(held: Held<Unit>): Promise<void> {
    held.isRunning = true;
    this.#running += 1;
    const isFree = await this.#options.attempt(held.unit);
    this.#running -= 1;
    this.#held = this.#held.filter((other) => other !== held);
    if (isFree) this.#release(held);
    this.#start();
    this.#resolveIfIdle();
  }

  /** Mutations that waited only for this one return to the queue, and are set aside again if necessary. */
  #release(free: Held<Unit>): void {
    const isReleased = (held: Held<Unit>) => !held.isRunning && waitsFor(held.touched, free);
    const released = this.#held.filter(isReleased);
    this.#held = this.#held.filter((held) => !isReleased(held));
    if (released.length) this.#options.requeue(released.map(({ unit }) => unit));
  }

  #resolveIfIdle(): void {
    if (!this.isEmpty) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}

function waitsFor<Unit>(touched: TouchedKeys, held: Held<Unit>): boolean {
  return touched.all.some((key) => held.keys.has(key));
}
