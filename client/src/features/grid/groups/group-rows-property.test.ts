import { expect, it } from "vitest";
import { createRandom, type Random } from "../../../../../shared/random.ts";
import type { GridController } from "../grid-controller.ts";
import { type GroupedView, GroupRows } from "./group-rows.ts";

const SEEDS = 60;
const STEPS = 25;
const FIELD = { name: "size", label: "Size", type: "select" };

interface Row {
  id: string;
  size: string | null;
}

/**
 * A view grouped by a field, with its groups in ascending order and empty values last, or the reverse. The counts are the
 * last ones that arrived and may be outdated; the rows are those of the row list after its last realignment.
 */
class RandomView {
  readonly #below: Random["below"];
  /** In the order of the view. */
  readonly #keys: (string | null)[];
  readonly #sort: string;
  #members: Row[] = [];
  #rows: Row[] = [];
  #hidden: (string | null)[] = [];
  #counted: { key: string | null; values: number[] }[] = [];
  #last = 0;
  /** Rows that were drawn below another group's heading when they had been read. */
  readonly underOthers: string[] = [];
  readonly groups: GroupRows;

  constructor(seed: number) {
    this.#below = createRandom(seed).below;
    const keys = [..."ABCDEFGH".slice(0, 2 + this.#below(7)), null];
    const isDescending = this.#below(2) === 1;
    this.#keys = isDescending ? keys.reverse() : keys;
    this.#sort = isDescending ? `-${FIELD.name}` : FIELD.name;
    for (let n = this.#below(30); n > 0; n -= 1) this.#insert();
    const rowOf = (row: number) => this.#rows[row];
    const grid = {
      editors: { isOpen: false },
      rowList: {
        shownView: { sort: [this.#sort] },
        textOrder: "en",
        status: { rowCount: 0 },
        at: (row: number) => {
          const found = rowOf(row);
          return found && { id: found.id, values: { size: found.size } };
        },
        indexOf: (record: string) => this.#rows.findIndex(({ id }) => id === record),
      },
      api: { getFirstDisplayedRowIndex: () => 0, getLastDisplayedRowIndex: () => 5 },
      session: { position: { seq: 1 } },
      abilities: { create: false },
    };
    Object.defineProperty(grid.rowList.status, "rowCount", { get: () => this.#rows.length });
    this.groups = new GroupRows(() => grid as unknown as GridController);
    this.#count();
    this.#order();
  }

  #insert(): void {
    this.#last += 1;
    this.#members.push({ id: `r${this.#last}`, size: this.#anyKey() });
  }

  #anyKey(): string | null {
    return this.#keys[this.#below(this.#keys.length)] ?? null;
  }

  /** A change by another user. */
  change(): void {
    const at = this.#below(this.#members.length);
    const kind = this.#below(3);
    if (kind === 0 || this.#members.length === 0) this.#insert();
    else if (kind === 1) this.#members.splice(at, 1);
    else if (this.#members[at]) this.#members[at].size = this.#anyKey();
  }

  /** Counts arrive. */
  #count(): void {
    const of = (key: string | null) => this.#members.filter(({ size }) => size === key).length;
    // As the server answers: upwards, whatever the direction of the view.
    const upwards = this.#sort.startsWith("-") ? this.#keys.toReversed() : this.#keys;
    this.#counted = upwards.filter((key) => of(key) > 0).map((key) => ({ key, values: [of(key)] }));
  }

  /** Rows are realigned, and read in parts in any order. */
  #order(): void {
    this.#rows = this.#members
      .filter(({ size }) => !this.#hidden.includes(size))
      .map((row) => ({ ...row }))
      .toSorted((a, b) => this.#keys.indexOf(a.size) - this.#keys.indexOf(b.size));
    const groups = {
      grouping: { field: FIELD.name },
      field: FIELD,
      zone: "UTC",
      hidden: this.#hidden,
    };
    const counts = { counted: this.#counted, further: null, columns: [], seq: 1, isExact: true };
    this.groups.set({ groups, ...counts, problem: null } as unknown as GroupedView);
    this.groups.realign();
    const size = 1 + this.#below(7);
    const parts = Array.from({ length: Math.ceil(this.#rows.length / size) }, (_, n) => n * size);
    while (parts.length > 0) {
      const [start = 0] = parts.splice(this.#below(parts.length), 1);
      const end = Math.min(start + size, this.#rows.length);
      this.groups.addRows(start, end);
      this.#checkRows(start, end);
    }
  }

  #checkRows(start: number, end: number): void {
    const { groups } = this;
    for (let row = start; row < end; row += 1) {
      let above = groups.indexOfRow(row);
      while (above >= 0 && !groups.at(above)) above -= 1;
      const size = this.#rows[row]?.size;
      const key = groups.at(above)?.key;
      if (key !== size) this.underOthers.push(`row ${row} of ${size} below ${key}`);
    }
  }

  step(): void {
    const kind = this.#below(4);
    for (let n = this.#below(6); n > 0; n -= 1) this.change();
    if (kind === 0) this.#hidden = this.#keys.filter(() => this.#below(3) === 0);
    if (kind <= 1) this.#count();
    this.#order();
  }

  /**
   * What the grid should draw, derived from the rows alone: the headings of groups that are counted or have rows, each
   * before its rows.
   */
  get expected(): string[] {
    return this.#keys.flatMap((key) => {
      const rows = this.#rows.filter(({ size }) => size === key).map(({ id }) => id);
      const isCounted = this.#counted.some((one) => one.key === key);
      return isCounted || rows.length > 0 ? [`= ${key}`, ...rows] : [];
    });
  }

  get drawn(): string[] {
    const { groups } = this;
    return Array.from({ length: this.#rows.length + groups.count }, (_, index) => {
      const extra = groups.at(index);
      return extra ? `= ${extra.key}` : (this.#rows[groups.rowAtIndex(index)]?.id ?? "nothing");
    });
  }

  /** Rows that are not found again at their own index. */
  get misplaced(): number[] {
    const rows = Array.from(this.#rows, (_, row) => row);
    const { groups } = this;
    return rows.filter((row) => {
      const index = groups.indexOfRow(row);
      return groups.at(index) !== undefined || groups.rowAtIndex(index) !== row;
    });
  }
}

it("places headings as a plain list of the rows would, whatever other users change and however old the counts are", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const view = new RandomView(seed);
    for (let step = 0; step < STEPS; step += 1) {
      const place = `seed ${seed}, step ${step}`;
      expect(view.drawn, place).toEqual(view.expected);
      expect(view.underOthers, place).toEqual([]);
      expect(view.misplaced, place).toEqual([]);
      view.step();
    }
  }
});
