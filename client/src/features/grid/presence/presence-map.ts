import { Listeners } from "../../../../../shared/listeners.ts";
import type { PresenceUser } from "../../../../../shared/protocol/presence.ts";
import { presenceAtom } from "../../../state/table-state.ts";
import { readAtom, watchAtom } from "../../../state/watch-atom.ts";

/** The users on each record of a table. Notifies listeners of the records whose users changed. */
export class PresenceMap {
  #byRecord = new Map<string, PresenceUser[]>();
  readonly #colours = new Map<string, string>();
  readonly #listeners = new Listeners<ReadonlySet<string>>();
  readonly #stop: () => void;

  constructor(table: string) {
    const presentUsers = presenceAtom(table);
    this.#update(readAtom(presentUsers));
    this.#stop = watchAtom(presentUsers, (next) => this.#update(next));
  }

  usersOn(record: string): readonly PresenceUser[] {
    return this.#byRecord.get(record) ?? [];
  }

  /** The colour of a user who was present before. */
  colourOf(id: string): string | undefined {
    return this.#colours.get(id);
  }

  onChange(listener: (records: ReadonlySet<string>) => void): () => void {
    return this.#listeners.add(listener);
  }

  stop(): void {
    this.#stop();
  }

  #update(presentUsers: readonly PresenceUser[]): void {
    const before = this.#byRecord;
    const next = new Map<string, PresenceUser[]>();
    for (const user of presentUsers) {
      this.#colours.set(user.id, user.colour);
      if (user.record === undefined) continue;
      const group = next.get(user.record) ?? [];
      group.push(user);
      next.set(user.record, group);
    }
    this.#byRecord = next;
    const touched = new Set([...before.keys(), ...next.keys()]);
    this.#listeners.emit(touched);
  }
}
