import type { PresentPerson } from "../../../../../shared/protocol/presence.ts";
import { presenceAtom } from "../../../state/table-state.ts";
import { readAtom, watchAtom } from "../../../state/watch-atom.ts";

/** Who is on which record of a table, kept from presence; tells which records changed. */
export class PeopleMap {
  #byRecord = new Map<string, PresentPerson[]>();
  readonly #colours = new Map<string, string>();
  readonly #listeners = new Set<(records: ReadonlySet<string>) => void>();
  readonly #stop: () => void;

  constructor(table: string) {
    const people = presenceAtom(table);
    this.#take(readAtom(people));
    this.#stop = watchAtom(people, (now) => this.#take(now));
  }

  onRecord(record: string): readonly PresentPerson[] {
    return this.#byRecord.get(record) ?? [];
  }

  /** The colour of a person seen here before; people keep theirs for good. */
  colourOf(id: string): string | undefined {
    return this.#colours.get(id);
  }

  onMoved(listener: (records: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#stop();
  }

  #take(people: readonly PresentPerson[]): void {
    const before = this.#byRecord;
    const now = new Map<string, PresentPerson[]>();
    for (const person of people) {
      this.#colours.set(person.id, person.colour);
      if (person.record === undefined) continue;
      const group = now.get(person.record) ?? [];
      group.push(person);
      now.set(person.record, group);
    }
    this.#byRecord = now;
    const touched = new Set([...before.keys(), ...now.keys()]);
    for (const listener of this.#listeners) listener(touched);
  }
}
