import { expect, it } from "vitest";
import { createAtomStore } from "../../state/atom-store.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { UnsavedTexts } from "./unsaved-texts.ts";

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (at: number) => [...items.keys()][at] ?? null,
    get length() {
      return items.size;
    },
  };
}

const place = { table: "incidents", record: "i1", field: "title" };
const label = "Incidents · Title";

function opened(storage = memory(), user = "ann") {
  const store = createAtomStore();
  const texts = new UnsavedTexts({ store, clock: new FakeClock(1), user, storage });
  return { texts, storage, shown: () => store.get(unsavedTextsAtom).map(({ text }) => text) };
}

it("keeps a text that could not be saved until it is discarded, also over a reload", () => {
  const { texts, storage, shown } = opened();
  texts.add({ ...place, text: "Mine", label, reason: "Title is locked." });
  expect(shown()).toEqual(["Mine"]);
  const again = opened(storage);
  expect(again.shown()).toEqual(["Mine"]);
  again.texts.discard(place);
  expect(again.shown()).toEqual([]);
  expect(opened(storage).shown()).toEqual([]);
});

it("keeps what is being typed when the page goes, and nothing that was saved", () => {
  const { texts, storage, shown } = opened();
  texts.setTyping(place, "Half a wo", label);
  texts.setTyping({ ...place, field: "notes" }, "Saved", label);
  texts.clearTyping({ ...place, field: "notes" });
  texts.storeTyping();
  expect(shown()).toEqual([]);
  expect(opened(storage).shown()).toEqual(["Half a wo"]);
});

it("shows nobody the texts of another user of the browser", () => {
  const { texts, storage } = opened();
  texts.add({ ...place, text: "Mine", label, reason: "" });
  expect(opened(storage, "bob").shown()).toEqual([]);
});

it("works on where the storage refuses", () => {
  const storage = memory();
  storage.setItem = () => {
    throw new Error("full");
  };
  const { texts, shown } = opened(storage);
  texts.add({ ...place, text: "Mine", label, reason: "" });
  expect(shown()).toEqual(["Mine"]);
});
