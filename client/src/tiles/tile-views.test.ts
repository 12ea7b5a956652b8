import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ShownTile } from "../../../shared/protocol/frame.ts";
import {
  BAR_SHARE,
  LABEL_SHARE,
  labelSize,
  TILE_HEIGHT_SHARE,
  TILE_WIDTH_SHARE,
} from "./label-size.ts";
import { areaPath, linePath, niceAbove, rangeOf } from "./parts/line-path.ts";
import { drawCode } from "./parts/qr-drawing.tsx";
import { tileSizeOf } from "./tile-size.ts";
import { bucketText, differenceText, spanText, valueText, zonedText } from "./tile-text.ts";
import { changeLabel } from "./views/activity-tile-view.tsx";
import { foldLights } from "./views/fold-lights.ts";
import { foldParts } from "./views/fold-parts.ts";
import { comparisonOf } from "./views/number-tile-view.tsx";
import { percentOf } from "./views/progress-tile-view.tsx";
import { queueLines } from "./views/queue-tile-view.tsx";
import { fitText } from "./views/text-tile-view.tsx";
import { isStacked, stack } from "./wallboard.tsx";

const tile = (more: Partial<ShownTile> = {}): ShownTile => ({
  id: "t",
  kind: "number",
  title: "",
  layout: { x: 0, y: 0, w: 3, h: 2 },
  zone: "Europe/Lisbon",
  ...more,
});
const points = (...values: (number | null)[]) => ({
  key: null,
  label: "",
  points: values.map((value, index) => ({ at: `2026-11-21T0${index}:00:00Z`, value })),
});

describe("values of a tile", () => {
  it("are written exactly, grouped, with as many digits as the tile or its field says", () => {
    expect(valueText(tile(), 12_480)).toBe("12,480");
    expect(valueText(tile(), "90071992547409931")).toBe("90,071,992,547,409,931");
    expect(valueText(tile(), 2.71)).toBe("2.7");
    expect(valueText(tile({ decimals: 2 }), "10")).toBe("10.00");
    const money = { name: "m", label: "M", type: "money", currency: "EUR", scale: 2 };
    expect(valueText(tile({ measured: money }), "1234.5")).toBe("€1,234.50");
    const duration = { name: "d", label: "D", type: "duration" };
    expect(valueText(tile({ measured: duration }), 5_400)).toBe("1h 30m");
    expect(valueText(tile(), null)).toBe("–");
  });

  it("say that a sum is no number, or has no end, and not that there is none", () => {
    const measured = { name: "m", label: "M", type: "decimal", scale: 2 };
    for (const one of [tile(), tile({ decimals: 1 }), tile({ measured })]) {
      expect(valueText(one, "NaN")).toBe("NaN");
      expect(valueText(one, "-Infinity")).toBe("-∞");
    }
  });

  it("compare the running bucket with the one before it up to the same moment, and nothing else", () => {
    const frame = { state: "ok" as const, value: 28, before: 3, series: [points(4, 9, 12)] };
    expect(comparisonOf(tile({ compared: "value" }), frame)).toEqual({ now: null, difference: 25 });
    expect(comparisonOf(tile({ compared: "trend" }), frame)).toEqual({ now: 12, difference: 9 });
    expect(comparisonOf(tile(), frame)).toBeNull();
    expect(comparisonOf(tile({ compared: "value" }), { ...frame, before: null })).toBeNull();
    expect(comparisonOf(tile({ compared: "value" }), { state: "ok", value: 28 })).toBeNull();
    expect(differenceText(tile(), 3)).toBe("+3");
    expect(differenceText(tile(), -12)).toBe("−12");
    expect(differenceText(tile(), 0)).toBe("±0");
  });

  it("have times in the tile's zone, and ages in one unit", () => {
    expect(bucketText("2026-07-01T10:00:00Z", "hour", "Europe/Lisbon")).toBe("11:00");
    expect(zonedText(0, "Nowhere/Unknown", { hour: "2-digit", minute: "2-digit" })).toBe("00:00");
    expect([20_000, 90_000, 7_200_000, 200_000_000].map(spanText)).toEqual([
      "now",
      "1 min",
      "2 h",
      "2 d",
    ]);
  });

  it("say what a change did", () => {
    const state = { name: "state", label: "State", type: "select" };
    const change = { kind: "update" as const, at: "", fields: ["state"], by: "Mira" };
    const row = { key: 1, label: "INC1", value: null, values: { state: "Resolved" }, change };
    expect(changeLabel(tile({ fields: [state] }), row)).toBe("state: Resolved by Mira");
  });
});

describe("what does not fit into a tile", () => {
  const size = (rows: number) => tileSizeOf({ x: 0, y: 0, w: 6, h: rows }, grid, "landscape");
  const grid = { columns: 12, rows: 8 };
  const rows = (count: number) =>
    Array.from({ length: count }, (_, key) => ({ key, label: "R", value: null }));

  it("is counted by a queue, with the records beyond its limit, at every height", () => {
    const queue = tile({ kind: "queue", title: "Waiting" });
    for (const count of [1, 4, 5, 8]) {
      for (const height of [1, 2, 3, 4, 8]) {
        const rest = { groups: 13, value: null };
        for (const more of [{}, { rest }, { rest, state: "silent" as const }]) {
          const frame = { state: "ok" as const, rows: rows(count), ...more };
          const { shown, others } = queueLines(queue, frame, size(height));
          expect(shown).toBeGreaterThan(0);
          expect(shown + others).toBe(count + ("rest" in more ? 13 : 0));
        }
      }
    }
    const eight = { state: "ok" as const, rows: rows(8) };
    expect(queueLines(queue, eight, size(4))).toEqual({ shown: 4, others: 4 });
    expect(queueLines(queue, { state: "ok", rows: rows(4) }, size(4)).others).toBe(0);
  });

  it("of a text is found by its lines, of which a smaller one has more", () => {
    const text = (content: string) => tile({ kind: "text", text: content });
    expect(fitText(text("Visitors until 18:00"), size(1)).isCut).toBe(false);
    expect(fitText(text("One\ntwo\nthree\nfour\nfive"), size(1)).isCut).toBe(true);
    expect(fitText(text("Visitors ".repeat(100)), size(2)).isCut).toBe(true);
    const three = fitText(text("One\ntwo\nthree"), size(2));
    expect(three).toMatchObject({ isCut: false });
    expect(three.scale).toBeLessThan(1);
  });

  it("leaves a progress below 100 % until its target is reached", () => {
    expect([2 / 3, 0.999, 1, 1.5, 0].map(percentOf)).toEqual([67, 99, 100, 150, 0]);
  });
});

describe("the drawing of a line", () => {
  it("starts at zero and ends at a round number", () => {
    expect(rangeOf([3, 17, null])).toEqual({ low: 0, high: 20 });
    expect(rangeOf([-4, 2])).toEqual({ low: -4, high: 2 });
    expect(rangeOf([])).toEqual({ low: 0, high: 1 });
    expect([0.7, 11, 99, 100, 101].map(niceAbove)).toEqual([0.8, 12, 100, 100, 120]);
  });

  it("is broken where there is nothing to measure, and a lone point is seen", () => {
    const range = { low: 0, high: 10 };
    expect(linePath([0, 5, null, 10], range)).toBe("M0 100L33.33 50M100 0h0.4");
    expect(areaPath([0, 5, null], range)).toBe("M0 100L0 100L50 50L50 100Z");
  });
});

describe("the words of a tile", () => {
  /** Text that is readable at a glance has capitals of at least 16 arc minutes (ISO 9241-303). */
  const READABLE_ARC_MINUTES = 16;
  const CAPITAL_HEIGHT_EM = 0.72;
  const viewingAngle = (fontSize: number, distance: number) =>
    (Math.atan((fontSize * CAPITAL_HEIGHT_EM) / distance) * 180 * 60) / Math.PI;
  // a 55-inch screen: 1218 mm by 685 mm, five metres away
  const screen = { width: 1_218, height: 685 };
  const grid = { columns: 12, rows: 8 };

  it("are readable at five metres on a 55-inch screen, landscape or portrait", () => {
    const size = labelSize({ x: 0, y: 0, w: 3, h: 2 }, grid, screen);
    expect(viewingAngle(size, 5_000)).toBeGreaterThan(READABLE_ARC_MINUTES * 0.99);
    const portrait = { width: screen.height, height: screen.width };
    const tall = labelSize({ x: 0, y: 0, w: 3, h: 2 }, { columns: 6, rows: 12 }, portrait);
    expect(viewingAngle(tall, 5_000)).toBeGreaterThan(READABLE_ARC_MINUTES * 0.99);
  });

  it("are reckoned as large as the style sheets draw them", () => {
    const styles = ["tile-view.module.css", "wallboard.module.css", "../display/view/display.css"]
      .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
      .join("\n");
    const percent = (share: number) => Number((share * 100).toFixed(2));
    expect(styles).toContain(`--wallboard-label: ${percent(LABEL_SHARE.landscape)}cqmin`);
    expect(styles).toContain(`--wallboard-label: ${percent(LABEL_SHARE.portrait)}cqmin`);
    const tile = `${percent(TILE_HEIGHT_SHARE)}cqh, ${percent(TILE_WIDTH_SHARE)}cqw`;
    expect(styles).toContain(`font-size: min(1em, ${tile})`);
    expect(styles).toContain(`block-size: ${percent(BAR_SHARE)}vmin`);
  });

  it("shrink with a tile of one row, which is then too small for five metres", () => {
    const size = labelSize({ x: 0, y: 0, w: 3, h: 1 }, grid, screen);
    expect(viewingAngle(size, 5_000)).toBeLessThan(READABLE_ARC_MINUTES);
  });
});

describe("a wallboard for a landscape screen on a portrait one", () => {
  const place = (id: string, kind: ShownTile["kind"], x: number, y: number, w: number, h: number) =>
    tile({ id, kind, layout: { x, y, w, h } });
  const tiles = [
    place("first", "queue", 0, 5, 6, 3),
    place("open", "number", 0, 0, 3, 2),
    place("late", "number", 3, 0, 3, 2),
    place("bars", "breakdown", 0, 2, 4, 3),
    place("days", "trend", 4, 2, 5, 2),
    place("clock", "clock", 9, 2, 3, 3),
    place("groups", "lights", 6, 5, 3, 3),
  ];

  it("is a stack in reading order, with two that need half of the width side by side", () => {
    const stacked = stack({ tiles, grid: { columns: 12, rows: 8 } });
    expect(stacked.tiles.map(({ id, layout }) => [id, ...Object.values(layout)])).toEqual([
      ["open", 0, 0, 1, 2],
      ["late", 1, 0, 1, 2],
      ["bars", 0, 2, 1, 3],
      ["days", 1, 2, 1, 3],
      ["clock", 0, 5, 2, 2],
      ["first", 0, 7, 2, 3],
      ["groups", 0, 10, 2, 3],
    ]);
    expect(stacked.grid).toEqual({ columns: 2, rows: 13 });
  });

  it("is as it is on a landscape screen, and one for a portrait screen on all", () => {
    expect(isStacked({ columns: 12, rows: 8 }, "portrait")).toBe(true);
    expect(isStacked({ columns: 12, rows: 8 }, "landscape")).toBe(false);
    expect(isStacked({ columns: 6, rows: 12 }, "portrait")).toBe(false);
  });
});

describe("a code that opens a tile's records", () => {
  it("is left out where the address is longer than any code holds, and fails no tile", () => {
    const address = (length: number) => "http://desk.example/".padEnd(length, "%7B");
    expect(drawCode(address(2_900))?.size).toBeGreaterThan(100);
    expect(drawCode(address(2_901))).toBeNull();
    expect(drawCode(address(50_000))).toBeNull();
  });
});

const quietAlert = { flash: false, sound: false, since: "", acknowledged: null };

it("combines groups that don't fit as others, with their sum for counts", () => {
  const parts = Array.from({ length: 30 }, (_, index) => ({
    key: `${index}`,
    label: `Group ${index}`,
    value: 2,
    size: 2,
    colour: "red",
    groups: 1,
    alert: index === 20 ? { ...quietAlert, word: "Full", colour: "red" as const } : null,
  }));
  const tileSize = { width: 10, height: 2.36 + 0.48 * 5 + 0.1 };
  const shown = foldParts(parts, tileSize, true);
  expect(shown.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    "Group 0: 2",
    "Group 1: 2",
    "Group 2: 2",
    "Group 3: 2",
    "26 others: 52",
  ]);
  expect(shown.at(-1)?.alert?.word).toBe("Full");
  expect(foldParts(parts, tileSize, false).at(-1)).toMatchObject({
    label: "26 others",
    value: null,
  });
  expect(foldParts(parts.slice(0, 5), tileSize, true)).toHaveLength(5);
});

it("combines lights that don't fit as others, with the worst alert", () => {
  const alert = { flash: false, sound: false, since: "", acknowledged: null };
  const rows = Array.from({ length: 30 }, (_, index) => ({
    key: index,
    label: `Group ${index}`,
    value: 2,
    ...(index === 20 && { alert: { ...alert, word: "Watch", colour: "yellow" as const } }),
    ...(index === 25 && { alert: { ...alert, word: "Down", colour: "red" as const } }),
  }));
  const tileSize = { width: 10, height: 2.36 + 0.48 * 3 + 0.1 };
  const shown = foldLights(rows, { columns: 2, tileSize, counted: true });
  expect(shown).toHaveLength(6);
  expect(shown.at(-1)).toMatchObject({ label: "25 others", value: 50, alert: { word: "Down" } });
  expect(foldLights(rows.slice(0, 6), { columns: 2, tileSize, counted: true })).toHaveLength(6);
  expect(foldLights(rows, { columns: 2, tileSize: undefined, counted: true })).toHaveLength(30);
});
