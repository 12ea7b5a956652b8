import type { ColleagueAction, Input, Series } from "./typing-series.ts";

interface Case extends Partial<Series> {
  /** A script: `<Tab>` and the like are pressed, `<2x1>` pastes so many rows and columns, all else is typed. */
  keys: string;
  /** What a colleague does after so many inputs, before the next one. */
  theirs?: readonly [after: number, action: ColleagueAction];
}

/**
 * Series that failed, made as small as they are here. The number is the seed that found each, before there were
 * other kinds of inputs to draw from.
 */
const found: Readonly<Record<string, Case>> = {
  "a link, a user and an option take Tab while their lists are searched (10, 13)": {
    columns: ["ward", "nurse", "size", "name"],
    distanceMs: 133,
    keys: "North<Tab>Olga Berg<Tab>Large<Tab>T1<Enter>",
  },
  "links that are typed down a column are each in their row (9)": {
    columns: ["name", "ward"],
    start: { row: 2, column: 1 },
    distanceMs: 21,
    keys: "North<Enter>ICU<Enter>South<Enter>West<Enter>Westend<Enter>",
  },
  "options that are typed down a column of several are each in their row": {
    columns: ["sides", "name"],
    start: { row: 1, column: 0 },
    distanceMs: 21,
    keys: "Left<Enter>Right<Enter>Zz3<Enter>Leftmost<Tab>T1<Enter>Right<Enter>",
  },
  "a text that names nothing is listed, and the next one goes on (3)": {
    columns: ["size", "ward", "nurse", "places"],
    keys: "Zz4<Tab>Zz5<Tab>Zz6<Tab>706<Enter>Large<Tab>",
  },
  "a number that is none is listed, and what follows it goes on in its own cells": {
    columns: ["places", "name", "cost"],
    keys: "7x<Tab>T1<Tab>701.5<Enter>702<Tab>T2<Enter>7y<Enter>703<Enter>",
  },
  "records that are typed after New one after the other (38, 185)": {
    columns: ["name", "places"],
    keys: "<New>T1<Tab>701<Tab>T2<Tab>702<Enter>T3<Tab>703<Tab>T4<Enter>",
  },
  "a text after Tab at the end of a row (38, 100)": {
    columns: ["name", "places"],
    start: { row: 8, column: 1 },
    keys: "700<Tab>T2<Enter>",
  },
  "a new record above the rows after one below them was left with Escape (700258)": {
    columns: ["urgent", "day", "nurse"],
    start: { row: 19, column: 2 },
    distanceMs: 0,
    gapMs: 52,
    keys: "mara<Tab>Yes<Escape><New><Tab>2031-01-13<Tab>mara<Enter>Yes<Enter>2031-07-19<Enter>mara<Tab>",
  },
  "rows that are pasted into a new record (66, 251)": {
    columns: ["cost", "name"],
    keys: "<New><2x1>",
  },
  "rows that are pasted over one that a colleague has deleted (700018)": {
    columns: ["name", "nurse", "cost"],
    start: { row: 14, column: 0 },
    keys: "<F2><Escape><3x2>",
    theirs: [1, { kind: "delete", row: 15 }],
  },
  "F2 and Enter on a record that a colleague has deleted (175723)": {
    columns: ["name", "places"],
    start: { row: 3, column: 0 },
    gapMs: 128,
    distanceMs: 28,
    keys: "T1<Enter><F2><Enter>T2<Enter><F2>T3<Enter>T4<Enter>",
    theirs: [0, { kind: "delete", row: 4 }],
  },
  "rows that a colleague orders differently in the view (737)": {
    columns: ["places", "name"],
    start: { row: 3, column: 0 },
    gapMs: 74,
    keys: "700<Enter>702<Enter>704<Enter>706<Enter>708<Enter>",
    theirs: [3, { kind: "view", change: "order" }],
  },
  "rows that a colleague filters away in the view": {
    columns: ["name", "day"],
    start: { row: 5, column: 0 },
    gapMs: 60,
    keys: "T2<Enter>T4<Enter>T6<Enter>T8<Enter>T10<Enter>T12<Enter>",
    theirs: [3, { kind: "view", change: "filter" }],
  },
  "rows that a colleague groups in the view (100)": {
    columns: ["name", "day"],
    start: { row: 5, column: 0 },
    gapMs: 60,
    keys: "T2<Enter>T4<Enter>T6<Enter>T8<Enter>T10<Enter>T12<Enter>",
    theirs: [3, { kind: "view", change: "group" }],
  },
  "a column that a colleague moves in the view": {
    columns: ["name", "day", "places"],
    gapMs: 60,
    keys: "T1<Tab>2031-01-01<Tab>701<Enter>T2<Tab>2031-02-02<Tab>702<Enter>T3<Tab>",
    theirs: [3, { kind: "view", change: "columns" }],
  },
  "a model that a colleague publishes between two keys (148)": {
    columns: ["size", "ward", "day"],
    start: { row: 1, column: 2 },
    gapMs: 137,
    keys: "<Enter><Enter><Enter><Enter>2031-05-05<Enter>",
    theirs: [1, { kind: "publish", change: "relabel" }],
  },
  "an option after a model was published while its author stopped in an editor (62)": {
    columns: ["cost", "size"],
    gapMs: 21,
    distanceMs: 0,
    keys: "700.5<Tab>Large<Enter>",
    theirs: [1, { kind: "publish", change: "add" }],
  },
  "a cell that is cleared while what was typed there is looked up": {
    columns: ["ward", "name"],
    start: { row: 4, column: 0 },
    keys: "North<Enter>ICU<Shift+Enter><Delete><ArrowDown>",
  },
  "a new record right after one that only a paste began (700268)": {
    columns: ["nurse", "size", "cost", "ward", "name"],
    start: { row: 4, column: 3 },
    distanceMs: 0,
    gapMs: 40,
    keys: "<New><1x1><New>mara<Enter>",
  },
  "a user who is typed over another one that was just pasted (9025)": {
    columns: ["size", "nurse"],
    distanceMs: 49,
    gapMs: 12,
    keys: "<New>Larger<Tab><1x1>mara<Tab>Small<Tab>Olga Berg<Tab>",
    theirs: [5, { kind: "view", change: "columns" }],
  },
  "a link that is typed over one that is still looked up (9510)": {
    columns: ["ward", "name"],
    distanceMs: 84,
    gapMs: 121,
    keys: "<New>North<Tab><ArrowLeft>North 1<Enter>T6<Enter>",
  },
  "new records that are typed below the rows while a colleague publishes a model (9235)": {
    rows: 12,
    columns: ["places", "name"],
    start: { row: 11, column: 0 },
    distanceMs: 88,
    gapMs: 143,
    keys: "<ArrowDown>701<Enter>703<Enter>705<Enter>708<Enter>710<Enter>712<Enter>714<Enter>",
    theirs: [6, { kind: "publish", change: "add" }],
  },
  "a yes or no that is typed over another one before that is drawn (50162)": {
    columns: ["cost", "urgent", "size"],
    start: { row: 2, column: 1 },
    gapMs: 10,
    keys: "Yes<Tab><3x1><ArrowLeft>No<Enter>",
  },
  "a new record while a model is published, and another user edits (20050)": {
    columns: ["nurse", "day", "cost", "size"],
    start: { row: 5, column: 3 },
    distanceMs: 108,
    gapMs: 36,
    keys: "<New><1x1><Tab>2031-04-04<Enter>Olga Berg<Enter>",
    theirs: [1, { kind: "publish", change: "add" }],
  },
  "Enter twice, and a text, on a value that was refused meanwhile (70071)": {
    columns: ["places", "name"],
    start: { row: 3, column: 0 },
    distanceMs: 0,
    gapMs: 80,
    keys: "701<Enter>702<Enter>704<Enter><ArrowUp><ArrowUp><Enter><Enter>708<Enter><ArrowUp><Enter><Tab>T10<Enter>",
    theirs: [1, { kind: "publish", change: "remove" }],
  },
  "a new record after one whose only text can't be saved, because a colleague removed its field (700073)":
    {
      rows: 17,
      columns: ["places", "size", "nurse", "name"],
      start: { row: 15, column: 2 },
      gapMs: 93,
      distanceMs: 39,
      keys: "Zz2<Enter>Zz4<Enter>708<Enter>710<Tab>Small<Enter>",
      theirs: [1, { kind: "publish", change: "remove" }],
    },
  "new records that begin with a text that is no value": {
    rows: 12,
    columns: ["places", "name"],
    start: { row: 11, column: 0 },
    gapMs: 60,
    keys: "<ArrowDown>7x<Enter>7y<Tab>T1<Enter>702<Enter>",
  },
  "a text right after Escape (175)": {
    columns: ["places"],
    start: { row: 12, column: 0 },
    gapMs: 11,
    keys: "715<Escape>717<Escape>719<Enter>",
  },
};

type TypingCase = readonly [name: string, series: Series];

export const typingCases: readonly TypingCase[] = Object.entries(found).map(([name, one]) => [
  name,
  seriesOf(one),
]);

function seriesOf({ keys, theirs, ...rest }: Case): Series {
  return {
    seed: 0,
    rows: 20,
    columns: [],
    start: { row: 0, column: 0 },
    distanceMs: 100,
    gapMs: 20,
    ...rest,
    inputs: inputsOf(keys),
    meanwhile: theirs ? [{ after: theirs[0], isAwaited: true, action: theirs[1] }] : [],
  };
}

function inputsOf(script: string): Input[] {
  const parts = script.match(/<[^>]+>|[^<]+/g) ?? [];
  return parts.map((part) => {
    const [, rows, columns] = /^<(\d)x(\d)>$/.exec(part) ?? [];
    if (rows && columns)
      return { kind: "paste", rows: Number(rows), columns: Number(columns), pick: 1 };
    return part.startsWith("<")
      ? { kind: "press", key: part.slice(1, -1) }
      : { kind: "text", pick: 1, text: part };
  });
}
