import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { cellContains } from "./match-cell.ts";

/** The name under which find.css says how they look. */
const NAME = "wf-search";

/** The text that the view searches for, folded; empty without one. */
export function searchedText({ rowList }: GridController): string {
  return foldCase((rowList.shownView.search ?? "").trim());
}

/**
 * The places of the searched text in what a cell shows. The browser paints them over the text (CSS Custom Highlight API), so that the value stays
 * one text; one that can't shows no marks.
 */
export class SearchMarks {
  #ranges: Range[] = [];

  paint(element: HTMLElement, needle: string): void {
    this.clear();
    if (needle === "" || typeof Highlight === "undefined") return;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      this.#mark(node as Text, needle);
    const marks = highlight();
    for (const range of this.#ranges) marks.add(range);
  }

  clear(): void {
    if (this.#ranges.length === 0) return;
    const marks = highlight();
    for (const range of this.#ranges) marks.delete(range);
    this.#ranges = [];
  }

  /** Folding changes the length of no character, so that places in a folded text are those in the text. */
  #mark(text: Text, needle: string): void {
    const folded = foldCase(text.data);
    for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + 1)) {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + needle.length);
      this.#ranges.push(range);
    }
  }
}

function highlight(): Highlight {
  const known = CSS.highlights.get(NAME);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(NAME, made);
  return made;
}

/** The field without a column that contains the searched text, where none of the columns does: why the row is there. */
export function foundInHidden(grid: GridController, record: RecordView): string | null {
  const needle = searchedText(grid);
  if (needle === "" || grid.cards) return null;
  const { fields, columns, labels } = grid;
  const contains = (name: string) => {
    const field = fields.get(name);
    const labelOf = (of: Field, id: string) => labels.labelOf(of, id);
    return field !== undefined && cellContains(field, record.values[name], needle, labelOf);
  };
  if (columns.some(contains)) return null;
  const hidden = [...fields.keys()].filter((name) => !columns.includes(name)).find(contains);
  return hidden === undefined ? null : (fields.get(hidden)?.label ?? null);
}
