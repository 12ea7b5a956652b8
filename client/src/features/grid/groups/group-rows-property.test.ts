import { expect, it } from "vitest";
import { createRandom, type Random } from "../../../../../shared/random.ts";
import type { GridController } from "../grid-controller.ts";
import { type GroupedView, GroupRows } from "./group-rows.ts";

const SEEDS = 60;
const STEPS = 25;
const FIELD = { name: "size", label: "Size", type: "select" };

interface Row {
  id: string;
  size: string;
}

/**
 * A view grouped by a field, whose groups are ordered by their letters. The counts are the last ones that arrived, as while
 * others change records; the rows are what the window has after it was put in order.
 */
class RandomView {
  readonly #below: Random["below"];
  readonly #keys: string[];
  #members: Row[] = [];
  #rows: Row[] = [];
  #hidden: string[] = [];
  #counted: { key: string; values: number[] }[] = [];
  #last = 0;
  readonly groups: GroupRows;

  constructor(seed: number) {
    this.#below = createRandom(seed).below;
    this.#keys = "ABCDEFGH".slice(0, 2 + this.#below(7)).split("");
    for (let n = this.#below(30); n > 0; n -= 1) this.#insert();
    const rowOf = (row: number) => this.#rows[row];
    const grid = {
      editors: { isOpen: false },
      window: {
        shownView: { sort: [FIELD.name] },
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
    Object.defineProperty(grid.window.status, "rowCount", { get: () => this.#rows.length });
    this.groups = new GroupRows(() => grid as unknown as GridController);
    this.#count();
    this.#order();
  }

  #insert(): void {
    const size = this.#keys[this.#below(this.#keys.length)] ?? "A";
    this.#last += 1;
    this.#members.push({ id: `r${this.#last}`, size });
  }

  /** A change by another user. */
  change(): void {
    const at = this.#below(this.#members.length);
    const kind = this.#below(3);
    if (kind === 0 || this.#members.length === 0) this.#insert();
    else if (kind === 1) this.#members.splice(at, 1);
    else if (this.#members[at])
      this.#members[at].size = this.#keys[this.#below(this.#keys.length)] ?? "A";
  }

  /** Counts arrive. */
  #count(): void {
    const of = (key: string) => this.#members.filter(({ size }) => size === key).length;
    this.#counted = this.#keys
      .filter((key) => of(key) > 0)
      .map((key) => ({ key, values: [of(key)] }));
  }

  /** Rows are put in order, and read in parts of any order. */
  #order(): void {
    this.#rows = this.#members
      .filter(({ size }) => !this.#hidden.includes(size))
      .map((row) => ({ ...row }))
      .toSorted((a, b) => (a.size < b.size ? -1 : Number(a.size > b.size)));
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
      this.groups.addRows(start, Math.min(start + size, this.#rows.length));
    }
  }

  step(): void {
    const kind = this.#below(4);
    for (let n = this.#below(6); n > 0; n -= 1) this.change();
    if (kind === 0) this.#hidden = this.#keys.filter(() => this.#below(3) === 0);
    if (kind <= 1) this.#count();
    this.#order();
  }

  /** What the grid draws, by the rows alone: the headings of counted groups, each before its rows. */
  get expected(): string[] {
    return this.#keys.flatMap((key) => {
      const rows = this.#rows.filter(({ size }) => size === key).map(({ id }) => id);
      return this.#isCounted(key) ? [`= ${key}`, ...rows] : [];
    });
  }

  #isCounted(key: string): boolean {
    return this.#counted.some((one) => one.key === key);
  }

  /** Whether the order of all groups is known: the numbers of their records may still be old. */
  get areGroupsKnown(): boolean {
    return this.#rows.every(({ size }) => this.#isCounted(size));
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

it("headings are where a plain list of the rows has them, whatever others change and however old their numbers are", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const view = new RandomView(seed);
    for (let step = 0; step < STEPS; step += 1) {
      const place = `seed ${seed}, step ${step}`;
      if (view.areGroupsKnown) expect(view.drawn, place).toEqual(view.expected);
      expect(view.misplaced, place).toEqual([]);
      view.step();
    }
  }
});
