import { bindFilter, usesClock } from "../../../../../shared/filter/bind-filter.ts";
import { checkFilter } from "../../../../../shared/filter/check-filter.ts";
import { compileFilter, type RecordPredicate } from "../../../../../shared/filter/matches.ts";
import { fieldKinds } from "../../../../../shared/model/model.ts";
import {
  type ColourRule,
  type RuleColour,
  ruleNeeds,
} from "../../../../../shared/model/view/appearance.ts";
import { colourMessages } from "../../../messages/en/colours.ts";
import { lookMessages as messages } from "../../../messages/en/look.ts";
import { badgeColour } from "../../../records/fields/badge-colour.ts";
import { formatValue } from "../../../records/fields/format-value.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import { clockOffsetAtom } from "../../../state/connection-state.ts";
import { dayZone } from "../../../state/day-zone.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { readAtom, watchAtom } from "../../../state/watch-atom.ts";
import { setData } from "../cells/set-element.ts";
import type { GridController } from "../grid-controller.ts";

/** Rules that use the time are evaluated again at this interval, and when the server's clock is found to differ by more than this. */
const CLOCK_EVERY_MS = 30_000;
const CLOCK_SHIFT_MS = 1_000;

/** A sign for each colour, so that rules differ without it. */
export const ruleSigns: Record<RuleColour, string> = {
  red: "▲",
  orange: "◆",
  yellow: "★",
  green: "●",
  blue: "■",
  violet: "✚",
  gray: "○",
};

interface CompiledRule {
  rule: ColourRule;
  matches: RecordPredicate;
  label: string;
}

/** How a cell is coloured, and why. */
export interface CellColour {
  colour: RuleColour;
  label: string;
}

/** The rules of one record: of its row, and of single cells. */
interface RecordColours {
  row: CellColour | null;
  cells: ReadonlyMap<string, CellColour>;
}

const none: RecordColours = { row: null, cells: new Map() };

/**
 * The colour rules of a view, evaluated in the browser over the values that the user may read. A rule on any other field
 * is ignored. What a record looks like is computed once for each of its versions.
 */
export class ColourRules {
  readonly #grid: () => GridController;
  #rules: readonly ColourRule[] = [];
  #compiled: CompiledRule[] = [];
  #cache = new WeakMap<RecordView, RecordColours>();
  /** Server clock minus local clock, as last used. */
  #clockOffset = 0;
  #stopClock = () => {};

  constructor(grid: () => GridController) {
    this.#grid = grid;
  }

  set(rules: readonly ColourRule[]): void {
    this.#rules = rules;
    this.stop();
    if (rules.some(({ filter }) => usesClock(filter))) this.#followClock();
    this.#compile();
  }

  stop(): void {
    this.#stopClock();
    this.#stopClock = () => {};
  }

  #followClock(): void {
    const timer = setInterval(() => this.#compile(), CLOCK_EVERY_MS);
    const unwatch = watchAtom(clockOffsetAtom, (offset) => {
      if (Math.abs(offset - this.#clockOffset) > CLOCK_SHIFT_MS) this.#compile();
    });
    this.#stopClock = () => {
      clearInterval(timer);
      unwatch();
    };
  }

  /** The colour of a cell, by a rule of its field or else of its row. */
  of(record: RecordView, field: string): CellColour | null {
    const { row, cells } = this.#colours(record);
    return cells.get(field) ?? row;
  }

  /** The colour of a whole record. */
  ofRow(record: RecordView): CellColour | null {
    return this.#colours(record).row;
  }

  /** The colour of a cell by a rule of its own field. */
  ofField(record: RecordView, field: string): CellColour | null {
    return this.#colours(record).cells.get(field) ?? null;
  }

  /** Whether the cell carries the sign of its rule: its own, or that of the row in the first column. */
  hasSign(record: RecordView, field: string): boolean {
    const { row, cells } = this.#colours(record);
    return cells.has(field) || (row !== null && this.#grid().columns[0] === field);
  }

  #colours(record: RecordView): RecordColours {
    if (this.#compiled.length === 0 || record.mark === "deleted") return none;
    const known = this.#cache.get(record);
    if (known) return known;
    const cells = new Map<string, CellColour>();
    let row: CellColour | null = null;
    for (const { rule, matches, label } of this.#compiled) {
      const isDecided = rule.field === null ? row !== null : cells.has(rule.field);
      if (isDecided || !matches(record.id, record.values)) continue;
      const found = { colour: rule.colour, label };
      if (rule.field === null) row = found;
      else cells.set(rule.field, found);
    }
    const colours = { row, cells };
    this.#cache.set(record, colours);
    return colours;
  }

  #compile(): void {
    const { table, fields, core, cells, rowList } = this.#grid();
    const visible = [...fields.keys()];
    const kinds = fieldKinds(table, visible);
    const { id, attributes } = core.user;
    const { zone = dayZone() } = rowList.shownView;
    this.#clockOffset = readAtom(clockOffsetAtom);
    const now = new Date(Date.now() + this.#clockOffset).toISOString();
    const context = { me: { id, attributes }, now, zone };
    const isUsable = (rule: ColourRule) =>
      ruleNeeds(rule).every((field) => fields.has(field)) && !checkFilter(rule.filter, kinds);
    this.#compiled = this.#rules.filter(isUsable).map((rule) => ({
      rule,
      matches: compileFilter(bindFilter(rule.filter, context), kinds),
      label: this.#labelOf(rule),
    }));
    this.#cache = new WeakMap();
    for (const cell of cells.all()) {
      cell.paintColour();
      cell.paintState();
    }
  }

  #labelOf({ colour, filter }: ColourRule): string {
    const { fields, labels } = this.#grid();
    const rule = filterText(
      filter,
      (name) => fields.get(name)?.label ?? name,
      (name, value) => {
        const field = fields.get(name);
        return field && formatValue(field, value, (of, id) => labels.labelOf(of, id));
      },
    );
    return messages.matchesRule({ colour: colourMessages[colour](), rule });
  }
}

/** Tints the element of a cell or card. */
export function paintRule(element: HTMLElement, found: CellColour | null): void {
  const isSame = element.dataset.rule === found?.colour;
  setData(element, "rule", found?.colour);
  if (found && !isSame) element.style.setProperty("--wf-rule", badgeColour(found.colour));
}
