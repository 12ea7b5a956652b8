import { ID_FIELD } from "../../../../shared/filter/field-kind.ts";
import type { WireChange } from "../../../../shared/protocol/changes.ts";
import type { Flash } from "../records/flash.ts";
import type { Touched } from "../window/table-session.ts";

/** Collects what one tick touches. */
export class TouchedRecords {
  #records = new Set<string>();
  #flashes: Flash[] = [];
  #changed = new Set<string>();

  add(record: string): void {
    this.#records.add(record);
  }

  /** Notes the fields that a change has set. They flash if the record `isHeld`; `me` is the user. */
  addChange({ kind, record, set, by }: WireChange, isHeld: boolean, me: string): void {
    const mine = by.kind === "user" && by.id === me;
    for (const field of Object.keys(set)) {
      this.#changed.add(field);
      if (kind === "update" && isHeld) this.#flashes.push({ record, field, by, mine });
    }
    if (kind !== "update") this.#changed.add(ID_FIELD);
  }

  /** Returns what was touched, and begins the next tick. */
  take(): Touched {
    const touched = { records: this.#records, flashes: this.#flashes, changed: this.#changed };
    this.#records = new Set();
    this.#flashes = [];
    this.#changed = new Set();
    return touched;
  }
}
