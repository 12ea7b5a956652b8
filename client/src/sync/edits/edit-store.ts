import type { EditStorage, StoredMutation } from "../../transport/edit-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";

/** A browser whose storage has not answered by then is not waited for. */
const STORE_TIMEOUT_MS = 3_000;
/** What could not be stored is tried again this often. */
const RETRY_MS = 5_000;

/**
 * The stored edits of one user, as this tab sees them. Storage that fails (private window, full disk)
 * or hangs costs durability, never the edit: it stays in memory, the user is notified, and storing it is
 * tried again.
 */
export class EditStore {
  readonly #storage: EditStorage;
  readonly #lease: TabLease;
  readonly #user: string;
  /** Every mutation that this tab has had: an answer may overtake a look into the storage. */
  readonly #mine = new Set<string>();
  /** Mutations that only this page has, until their storing succeeds. */
  readonly #unstored = new Map<string, StoredMutation>();
  #isAdopting = false;
  #isReadable = true;
  #isWritable = true;
  #cancelRetry: (() => void) | null = null;
  #isStopped = false;

  readonly #clock: Clock;
  readonly #onStored: (isStored: boolean) => void;

  constructor(
    storage: EditStorage,
    lease: TabLease,
    user: string,
    clock: Clock,
    onStored: (isStored: boolean) => void,
  ) {
    this.#clock = clock;
    this.#onStored = onStored;
    this.#storage = storage;
    this.#lease = lease;
    this.#user = user;
  }

  get owner(): { user: string; tab: string } {
    return { user: this.#user, tab: this.#lease.tab };
  }

  /** Whether edits would be lost with the page. One that is being stored right now does not count. */
  get hasUnstored(): boolean {
    return !this.#isWritable && this.#unstored.size > 0;
  }

  /** Resolves when the mutations are stored, or the storage is no longer waited for. */
  async put(mutations: readonly StoredMutation[]): Promise<void> {
    for (const mutation of mutations) {
      this.#mine.add(mutation.id);
      this.#unstored.set(mutation.id, mutation);
    }
    await this.#write(mutations);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#unstored.delete(id);
    await this.#storage.remove(ids).catch(() => {});
  }

  /**
   * Edits not known here yet: this tab's own from before a reload, and those of tabs that are gone. A storage that
   * answers late is waited for, and is not asked a second time meanwhile.
   */
  async adopt(): Promise<StoredMutation[]> {
    if (this.#isAdopting) return [];
    this.#isAdopting = true;
    try {
      return await this.#adopt();
    } finally {
      this.#isAdopting = false;
    }
  }

  async #adopt(): Promise<StoredMutation[]> {
    const unknown = (await this.#load()).filter(({ id }) => !this.#mine.has(id));
    if (this.#isStopped) return [];
    const adopted: StoredMutation[] = [];
    for (const [tab, mutations] of Map.groupBy(unknown, ({ tab }) => tab)) {
      if (tab === this.#lease.tab) adopted.push(...mutations);
      else await this.#lease.takeOver(tab, () => this.#takeOver(mutations, adopted));
    }
    for (const { id } of adopted) this.#mine.add(id);
    return adopted.sort((a, b) => a.order - b.order);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
  }

  async #load(): Promise<StoredMutation[]> {
    const setReadable = (isReadable: boolean) => {
      this.#isReadable = isReadable;
      this.#report();
    };
    const loading = this.#storage.load(this.#user);
    if ((await this.#inTime(loading)) === null) setReadable(false);
    const found = await loading.catch(() => null);
    setReadable(found !== null);
    return found ?? [];
  }

  async #write(mutations: readonly StoredMutation[]): Promise<void> {
    // A slow storage stores it later.
    const done = this.#storage.putAll(mutations).then(() => this.#stored(mutations));
    if ((await this.#inTime(done)) !== null) return;
    this.#isWritable = false;
    this.#report();
    this.#retryLater(done);
  }

  #stored(mutations: readonly StoredMutation[]): true {
    for (const mutation of mutations) {
      // What was written since under its id is not stored because of that.
      const { id } = mutation;
      if (this.#unstored.get(id) === mutation) this.#unstored.delete(id);
    }
    if (this.#unstored.size === 0) this.#isWritable = true;
    this.#report();
    return true;
  }

  /** Waits for the attempt before: a storage that hangs is not sent more and more. */
  #retryLater(before: Promise<unknown>): void {
    if (this.#cancelRetry || this.#isStopped) return;
    const retry = () => {
      this.#cancelRetry = null;
      if (!this.#isWritable && !this.#isStopped) void this.#write([...this.#unstored.values()]);
    };
    this.#cancelRetry = this.#clock.after(RETRY_MS, () => void before.catch(() => {}).then(retry));
  }

  #report(): void {
    this.#onStored(this.#isReadable && this.#isWritable);
  }

  /** Null if the storage fails or does not answer in time. */
  #inTime<Result>(done: Promise<Result>): Promise<Result | null> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(STORE_TIMEOUT_MS, () => resolve(null));
      done.then(resolve, () => resolve(null));
      void done.catch(() => {}).finally(cancel);
    });
  }

  /** Where the storage refuses, another tab may take them over as well: their ids make that harmless. */
  async #takeOver(mutations: readonly StoredMutation[], adopted: StoredMutation[]): Promise<void> {
    const mine = mutations.map((mutation) => ({ ...mutation, tab: this.#lease.tab }));
    await this.#storage.putAll(mine).catch(() => {});
    adopted.push(...mine);
  }
}
