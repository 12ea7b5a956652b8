import { SeededRandom } from "../convergence/seeded-random.ts";
import { type Key, ReferenceTypist, type Sheet } from "./typing-reference.ts";
import { shownFields, textFor } from "./typing-table.ts";

/** What the typist does. What fits no state that the earlier ones lead to is left out. */
export type Input =
  | { kind: "text"; pick: number; text?: string }
  | { kind: "press"; key: string }
  | { kind: "paste"; rows: number; columns: number; pick: number };

/** What a colleague does, as soon as so many inputs were sent. */
export interface Meanwhile {
  after: number;
  /** Whether the typist stops to think, in an open editor, until the page has heard of it; else they go on at once. */
  isAwaited: boolean;
  action: ColleagueAction;
}

export type ColleagueAction =
  | { kind: "edit"; row: number; field: string }
  | { kind: "reorder"; row: number }
  | { kind: "create" }
  | { kind: "delete"; row: number }
  | { kind: "view"; change: "order" | "filter" | "group" | "columns" }
  | { kind: "publish"; change: "relabel" | "add" | "remove" };

export interface Series {
  seed: number;
  rows: number;
  /** The fields that have a column, from left to right. */
  columns: readonly string[];
  start: { row: number; column: number };
  /** How far away the server is, there and back. */
  distanceMs: number;
  /** Between two keys. */
  gapMs: number;
  inputs: readonly Input[];
  meanwhile: readonly Meanwhile[];
}

const presses: readonly (readonly [number, string])[] = [
  [10, "Tab"],
  [9, "Enter"],
  [2, "Shift+Tab"],
  [1, "Shift+Enter"],
  [3, "ArrowDown"],
  [2, "ArrowUp"],
  [2, "ArrowLeft"],
  [2, "ArrowRight"],
  [1, "F2"],
  [1, "Escape"],
  [1, "Delete"],
  [1, "Backspace"],
  [1, "Home"],
  [1, " "],
  [2, "New"],
];

/** The key that leads on after a text, of who fills rows, columns, or goes here and there. */
const habits: readonly (readonly (readonly [number, string])[])[] = [
  [
    [12, "Tab"],
    [1, "Enter"],
  ],
  [
    [1, "Tab"],
    [12, "Enter"],
  ],
  [
    [3, "Tab"],
    [3, "Enter"],
    [1, "ArrowLeft"],
    [1, "Escape"],
  ],
];

export function randomSeries(seed: number): Series {
  const random = new SeededRandom(seed);
  const rows = 12 + random.below(9);
  const count = 5 + random.below(21);
  const habit = random.pick(habits);
  const inputs: Input[] = random.below(3) === 0 ? [{ kind: "press", key: "New" }] : [];
  while (inputs.length < count) {
    inputs.push(randomInput(random));
    if (inputs.at(-1)?.kind === "text") inputs.push({ kind: "press", key: random.draw(habit) });
  }
  const columns = randomColumns(random);
  const series: Series = {
    seed,
    rows,
    columns,
    start: { row: random.below(rows), column: random.below(columns.length) },
    distanceMs: random.pick([0, random.below(201), random.below(201)]),
    gapMs: 10 + Math.round(140 * random.next() ** 2),
    inputs: inputs.slice(0, 25),
    meanwhile: randomActions(random, rows, count),
  };
  // Drawn last, so that seeds from before there was such a column mean the same series.
  return random.below(4) === 0
    ? { ...series, columns: columns.map((field) => (field === "size" ? "sides" : field)) }
    : series;
}

/** Two or more columns, in any order. That of several options takes the place of the one of a single option. */
function randomColumns(random: SeededRandom): string[] {
  const left = shownFields.filter((field) => field !== "sides");
  const count = 2 + random.below(left.length - 1);
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] ?? "");
}

function randomInput(random: SeededRandom): Input {
  return random.draw<Input>([
    [16, { kind: "text", pick: random.below(1_000_000) }],
    [6, { kind: "press", key: random.draw(presses) }],
    [
      1,
      {
        kind: "paste",
        rows: 1 + random.below(3),
        columns: 1 + random.below(2),
        pick: random.below(1_000_000),
      },
    ],
  ]);
}

function randomActions(random: SeededRandom, rows: number, inputs: number): Meanwhile[] {
  const isAlone = random.below(3) === 0;
  const count = isAlone ? 0 : 1 + random.below(3);
  return Array.from({ length: count }, () => ({
    after: random.below(inputs),
    isAwaited: random.below(2) === 0,
    action: randomAction(random, rows),
  })).sort((a, b) => a.after - b.after);
}

function randomAction(random: SeededRandom, rows: number): ColleagueAction {
  return random.draw<ColleagueAction>([
    [4, { kind: "edit", row: random.below(rows), field: random.pick(["name", "places", "ward"]) }],
    [2, { kind: "reorder", row: random.below(rows) }],
    [1, { kind: "create" }],
    [2, { kind: "delete", row: random.below(rows) }],
    [4, { kind: "view", change: random.pick(["order", "filter", "group", "columns"]) }],
    [2, { kind: "publish", change: random.pick(["relabel", "add", "remove"]) }],
  ]);
}

/** A key of a script, and the index of the input that it belongs to. */
export interface ScriptKey {
  input: number;
  key: Key;
  /** Whether an editor is open when it is pressed. */
  isInEditor: boolean;
}

/** The keys of a series in a sheet: each text is one that fits the cell that the keys before lead to. */
export function scriptOf(series: Series, sheet: Sheet): ScriptKey[] {
  const typist = new ReferenceTypist(sheet, series.start);
  const script: ScriptKey[] = [];
  let isEnded = false;
  let hasPasted = false;
  const send = (input: number, key: Key) => {
    script.push({ input, key, isInEditor: typist.isEditing });
    typist.take(key);
  };
  for (const [index, input] of series.inputs.entries()) {
    if (isEnded) break;
    if (input.kind === "press") {
      if (canPress(typist, input.key)) send(index, keyOf(input.key));
    } else if (input.kind === "text") {
      if (!canType(typist)) continue;
      const { text = textFor(typist.column, index, new SeededRandom(input.pick)) } = input;
      for (const character of text) send(index, { type: character });
    } else if (!hasPasted && canPaste(typist, input.rows)) {
      const columns = Math.min(input.columns, typist.columnsLeft);
      const isInNew = typist.isInNew;
      send(index, { paste: blockFor(typist, sheet, { ...input, columns }, index) });
      hasPasted = true;
      isEnded = isInNew && input.rows > 1;
    }
  }
  if (typist.isEditing) send(series.inputs.length, { press: "Enter" });
  return script;
}

function keyOf(key: string): Key {
  return key === " " ? { type: " " } : { press: key };
}

/** An editor that F2 opened on a number or a day has its formatted text, which a series does not go on with. */
function canType(typist: ReferenceTypist): boolean {
  if (typist.isSelecting) return false;
  const { kind, choices } = typist.column;
  return !typist.isEditing || kind === "text" || (choices !== undefined && !typist.isTyping);
}

function canPress(typist: ReferenceTypist, key: string): boolean {
  const arrows: Record<string, readonly [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const step = arrows[key];
  if (typist.isSelecting) return step !== undefined && typist.has(step);
  if (typist.isBeginning) return false;
  if (typist.isOnNewRow) return key === "ArrowUp" || key === "Enter";
  if (typist.isEditing) return canPressInEditor(typist, key);
  if (step) return typist.has(step);
  if (key === "Tab") return true;
  if (key === "Shift+Tab") return typist.has([0, -1]);
  if (key === " ") return typist.column.kind === "boolean";
  return /^(Enter|F2|Delete|Backspace|New)$/.test(key);
}

function canPressInEditor(typist: ReferenceTypist, key: string): boolean {
  if (key === "Tab" || key === "Enter" || key === "Escape") return true;
  if (key === "Shift+Tab") return typist.has([0, -1]);
  if (key === "Shift+Enter") return !typist.isInNew && typist.has([-1, 0]);
  return (
    /^(ArrowLeft|ArrowRight|Home|Backspace)$/.test(key) &&
    typist.column.kind === "text" &&
    typist.isTyping
  );
}

function canPaste(typist: ReferenceTypist, rows: number): boolean {
  const isFree = !typist.isEditing && !typist.isSelecting && !typist.isBeginning;
  return isFree && !typist.isOnNewRow && typist.rowsLeft >= rows;
}

function blockFor(
  typist: ReferenceTypist,
  { columns }: Sheet,
  paste: { rows: number; columns: number; pick: number },
  index: number,
): string[][] {
  const random = new SeededRandom(paste.pick);
  const left = columns.length - typist.columnsLeft;
  return Array.from({ length: paste.rows }, (_, row) =>
    columns.slice(left, left + paste.columns).map((column, at) => {
      const text = textFor(column, 100 + index * 10 + row * 3 + at, random);
      return column.choices && !(text in column.choices)
        ? (Object.keys(column.choices)[0] ?? "")
        : text;
    }),
  );
}

/** The series as a script that can be followed by hand. */
export function describeSeries(series: Series, script: readonly ScriptKey[]): string {
  const { seed, rows, columns, start, distanceMs, gapMs, inputs, meanwhile } = series;
  const lines = inputs.flatMap((_, index) => {
    const keys = script.filter(({ input }) => input === index).map(({ key }) => key);
    const theirs = meanwhile.filter(({ after }) => after === index);
    return [
      ...theirs.map(
        ({ action, isAwaited }) =>
          `    (${isAwaited ? "a pause until" : "meanwhile"}: ${JSON.stringify(action)})`,
      ),
      ...(keys.length > 0 ? [`  ${index}: ${describeKeys(keys)}`] : []),
    ];
  });
  const last = script.filter(({ input }) => input === inputs.length).map(({ key }) => key);
  if (last.length > 0) lines.push(`  end: ${describeKeys(last)}`);
  const where = `row ${start.row} of ${rows}, column ${start.column} of ${columns}`;
  return `Seed ${seed}: from ${where}, a key each ${gapMs} ms, the server ${distanceMs} ms away\n${lines.join("\n")}`;
}

function describeKeys(keys: readonly Key[]): string {
  const typed = keys.map((key) => ("type" in key ? key.type : "")).join("");
  const others = keys.flatMap((key) =>
    "press" in key ? [key.press] : "paste" in key ? [`paste ${JSON.stringify(key.paste)}`] : [],
  );
  return [...(typed ? [`type "${typed}"`] : []), ...others].join(", ");
}
