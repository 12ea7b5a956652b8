import { expect, test } from "vitest";
import type { RecordView } from "../../state/record-view.ts";
import { placeCards } from "./board-model.ts";

const records = new Map<string, string | null>();
const get = (id: string) =>
  records.has(id) ? ({ id, values: { level: records.get(id) }, mark: null } as never) : undefined;
const place = (sources: Parameters<typeof placeCards>[0]) => {
  const { cards, misplaced } = placeCards(
    sources,
    get,
    ({ values }: RecordView) => values.level as string | null,
  );
  const ids = Object.fromEntries([...cards].map(([value, list]) => [value, list.map((c) => c.id)]));
  return { ids, strays: misplaced };
};

test("a moved card is in its new column, before the cards that have a place there", () => {
  records.set("1", "low").set("2", "high").set("3", "high").set("4", null);
  const sources = [
    { column: "low", ids: ["1", "2"] },
    { column: "high", ids: ["3"] },
    { column: null, ids: ["4", "gone"] },
  ];
  const ids = { low: ["1"], high: ["2", "3"], null: ["4"] };
  expect(place(sources)).toEqual({ ids, strays: ["2"] });
});

test("a card in two row lists is shown once; a moving card has not arrived", () => {
  records.set("1", "low").set("2", "low");
  const sources = [{ column: "low", ids: ["1"] }, { column: "high", ids: ["1"] }, { ids: ["2"] }];
  expect(place(sources)).toEqual({ ids: { low: ["2", "1"] }, strays: ["2"] });
});
