/** The kinds of cells that differ in how a text becomes a value. */
export type Kind =
  | "text"
  | "integer"
  | "decimal"
  | "boolean"
  | "date"
  | "select"
  | "multiSelect"
  | "person"
  | "link";

export interface Column {
  field: string;
  kind: Kind;
  /** Of a kind whose values are chosen: the stored value of each label. */
  choices?: Readonly<Record<string, string>>;
}

/** Rows and columns as they are drawn when the first key is pressed, and what the cells hold, as stored texts. */
export interface Sheet {
  columns: readonly Column[];
  records: readonly string[];
  values: ReadonlyMap<string, Readonly<Record<string, string | null>>>;
}

/** What reaches the page: a character, a named key, or a paste of a block of cells. */
export type Key = { type: string } | { press: string } | { paste: readonly (readonly string[])[] };

/** A text that was given to a cell. `record` is the id of a drawn row, or `new 1` and so on for the records that the keys made. */
export interface Write {
  record: string;
  field: string;
  text: string;
  /** What is to be stored; undefined where the text is no value of its field and is to be listed as unsaved. */
  value: string | null | undefined;
}

interface Row {
  record: string;
  /** A new record above the rows, or where the row for new records was. */
  isNew?: "above" | "below";
}

interface Editor {
  text: string;
  caret: number;
  /** Whether the next character replaces the whole text. */
  isSelected: boolean;
  isChanged: boolean;
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Says where each text belongs, from the keys, the cell that they start in, and the rows and columns as drawn at the first key.
 * Nothing else counts: not how fast the keys come, nor how far away the server is, nor what colleagues do meanwhile. The habits
 * are those of a spreadsheet:
 *
 * - A character opens the editor and replaces the value; F2 and Enter open it to go on with the value, or to choose another one.
 * - Tab and Shift+Tab end the editor and go to the cell beside. Tab past the last column goes to the first one of the next row.
 * - Enter and Shift+Enter end the editor and go to the row below or above; after a run of Tabs, Enter goes to the column where the run began.
 * - Escape drops what is in the editor. Delete and Backspace clear a cell, Space turns a yes or no.
 * - Arrows go from cell to cell; in the editor of a text they move the caret.
 * - "New" (Ctrl+Enter) begins a record above the rows. In it, Enter goes to the next field, and after a run of Tabs begins another
 *   record. So do Tab and Enter past its last field.
 * - Below the last row is the row for new records: what is typed there begins one, in its first field.
 * - A paste fills the cells from the one with the cursor to the right and down, and selects several; one cell is like a text that was typed
 *   there, which goes on with a run of Tabs. In a new record, its first row goes there and each
 *   further one is a record of its own.
 */
export function placesOf(
  sheet: Sheet,
  start: { row: number; column: number },
  keys: readonly Key[],
): readonly Write[] {
  const typist = new ReferenceTypist(sheet, start);
  for (const key of keys) typist.take(key);
  return typist.writes;
}

/** The state between two keys; `placesOf` is the reference, this also says what can be pressed next. */
export class ReferenceTypist {
  readonly writes: Write[] = [];
  readonly #sheet: Sheet;
  readonly #rows: Row[];
  /** Null on the row for new records. */
  #row: Row | null;
  #column: number;
  #editor: Editor | null = null;
  #tabStart: number | null = null;
  #made = 0;
  /** Several cells are selected since a paste: only an arrow leads on as if there were no selection. */
  isSelecting = false;
  /** The record that has just begun by itself: its first field waits for a text. */
  isBeginning = false;

  constructor(sheet: Sheet, start: { row: number; column: number }) {
    this.#sheet = sheet;
    this.#rows = sheet.records.map((record) => ({ record }));
    this.#row = this.#rows[start.row] ?? null;
    this.#column = start.column;
  }

  /** The column of the cell that a text would go into. */
  get column(): Column {
    return this.#columns[this.#row ? this.#column : 0] as Column;
  }

  get columnsLeft(): number {
    return this.#columns.length - this.#column;
  }

  /** How many rows of a paste go into rows that are there; any number in a new record. */
  get rowsLeft(): number {
    if (!this.#row) return 0;
    if (this.#row.isNew) return Number.POSITIVE_INFINITY;
    return this.#rows.filter(({ isNew }) => isNew !== "below").length - this.#index;
  }

  get isEditing(): boolean {
    return this.#editor !== null;
  }

  /** Whether a text was typed into the open editor. */
  get isTyping(): boolean {
    return this.#editor?.isChanged === true;
  }

  get isOnNewRow(): boolean {
    return this.#row === null;
  }

  get isInNew(): boolean {
    return this.#row?.isNew !== undefined;
  }

  /** Whether there is a cell, or the row for new records, so far from here. */
  has([rows, columns]: readonly [number, number]): boolean {
    const row = (this.#row ? this.#index : this.#rows.length) + rows;
    const column = this.#column + columns;
    const isInTable = row >= 0 && row <= this.#rows.length;
    return (
      isInTable &&
      column >= 0 &&
      column < this.#columns.length &&
      (this.#row !== null || columns === 0)
    );
  }

  take(key: Key): void {
    if ("type" in key) this.#type(key.type);
    else if ("paste" in key) this.#paste(key.paste);
    else if (this.#editor) this.#pressInEditor(this.#editor, key.press);
    else this.#press(key.press);
  }

  get #columns(): readonly Column[] {
    return this.#sheet.columns;
  }

  get #index(): number {
    return this.#row ? this.#rows.indexOf(this.#row) : this.#rows.length;
  }

  #type(character: string): void {
    if (!this.#row) this.#begin("below");
    this.isBeginning = false;
    if (!this.#editor && character === " " && this.column.kind === "boolean") {
      this.#write(this.#shown() === "true" ? "No" : "Yes");
      return;
    }
    this.#editor ??= { text: "", caret: 0, isSelected: false, isChanged: true };
    const { text, caret, isSelected } = this.#editor;
    const [before, after] = isSelected ? ["", ""] : [text.slice(0, caret), text.slice(caret)];
    this.#editor = {
      text: before + character + after,
      caret: before.length + 1,
      isSelected: false,
      isChanged: true,
    };
  }

  #pressInEditor(editor: Editor, key: string): void {
    const { text, caret } = editor;
    if (key === "Escape") this.#editor = null;
    else if (key === "ArrowLeft") editor.caret = Math.max(0, caret - 1);
    else if (key === "ArrowRight") editor.caret = Math.min(text.length, caret + 1);
    else if (key === "Home") editor.caret = 0;
    else if (key === "End") editor.caret = text.length;
    else if (key === "Backspace") {
      editor.text = text.slice(0, Math.max(0, caret - 1)) + text.slice(caret);
      editor.caret = Math.max(0, caret - 1);
      editor.isChanged = true;
    } else {
      this.#editor = null;
      if (editor.isChanged) this.#write(editor.text);
      if (key.endsWith("Tab")) this.#tab(key === "Tab" ? 1 : -1);
      else this.#enter(key === "Enter" ? 1 : -1);
    }
  }

  #press(key: string): void {
    const step = steps[key];
    if (step) this.#move(...step);
    else if (key.endsWith("Tab")) this.#tab(key === "Tab" ? 1 : -1);
    else if (key === "Delete" || key === "Backspace") this.#write("");
    else if (key === "New") this.#begin("above");
    else if (!this.#row) this.#begin("below");
    else {
      const text = this.column.kind === "text" ? (this.#shown() ?? "") : "";
      const isSelected = this.column.choices !== undefined;
      this.#editor = { text, caret: text.length, isSelected, isChanged: false };
    }
  }

  #move(rows: number, columns: number): void {
    this.isSelecting = false;
    this.#tabStart = null;
    this.#row = this.#rows[this.#index + rows] ?? null;
    this.#column += columns;
  }

  #tab(step: 1 | -1): void {
    const column = this.#column + step;
    const start = this.#tabStart ?? this.#column;
    if (column < this.#columns.length) {
      this.#column = Math.max(0, column);
      this.#tabStart = column > start ? start : null;
    } else if (this.#row?.isNew === "above") this.#beginNext("above");
    else {
      this.#toNextRow(0);
      this.#column = 0;
    }
  }

  #enter(step: 1 | -1): void {
    if (this.#row?.isNew === "above") {
      const column = this.#column + step;
      const isTabbed = step > 0 && this.#tabStart !== null;
      if (isTabbed || column >= this.#columns.length) this.#beginNext("above");
      else this.#column = Math.max(0, column);
      this.#tabStart = null;
    } else if (step > 0) this.#toNextRow(this.#tabStart ?? this.#column);
    else if (this.#index > 0) this.#move(-1, 0);
  }

  #toNextRow(column: number): void {
    this.#row = this.#rows[this.#index + 1] ?? null;
    if (this.#row) this.#column = column;
    this.#tabStart = null;
  }

  #beginNext(where: "above"): void {
    this.#begin(where);
    this.isBeginning = true;
  }

  #begin(where: "above" | "below"): void {
    this.#made += 1;
    const row: Row = { record: `new ${this.#made}`, isNew: where };
    if (where === "above") this.#rows.unshift(row);
    else this.#rows.push(row);
    this.#row = row;
    this.#column = 0;
    this.#tabStart = null;
  }

  #paste(block: readonly (readonly string[])[]): void {
    const first = this.#row as Row;
    const left = this.#column;
    for (const [down, cells] of block.entries()) {
      if (down > 0 && first.isNew) this.#made += 1;
      const row =
        down === 0 ? first : first.isNew ? null : this.#rows[this.#rows.indexOf(first) + down];
      const record = row?.record ?? `new ${this.#made}`;
      for (const [right, text] of cells.entries())
        this.#writeAt(record, this.#columns[left + right] as Column, text);
    }
    this.isSelecting = block.length > 1 || (block[0]?.length ?? 0) > 1;
    if (this.isSelecting) this.#tabStart = null;
  }

  #write(text: string): void {
    if (this.#row) this.#writeAt(this.#row.record, this.column, text);
  }

  #writeAt(record: string, column: Column, text: string): void {
    this.writes.push({ record, field: column.field, text, value: readText(column, text) });
  }

  /** What the cell shows: the last text that was given to it and is a value, or what it held at the first key. */
  #shown(): string | null {
    const { record } = this.#row as Row;
    const { field } = this.column;
    const written = this.writes.findLast(
      (write) => write.record === record && write.field === field && write.value !== undefined,
    );
    return written ? (written.value ?? null) : (this.#sheet.values.get(record)?.[field] ?? null);
  }
}

/** The stored text of a typed one: null for nothing, undefined where it is no value. Only what a series types is read. */
function readText({ kind, choices }: Column, text: string): string | null | undefined {
  const clean = text.trim();
  if (clean === "") return null;
  if (choices) return choices[clean];
  if (kind === "integer" && !/^\d+$/.test(clean)) return undefined;
  return kind === "decimal" ? Number(clean).toFixed(2) : clean;
}
