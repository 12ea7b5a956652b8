import { expect, it } from "vitest";
import type { Values } from "../../../../shared/model/model.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import type { RecordView } from "../../state/record-view.ts";
import { closedTable, tableAtom } from "../../state/table-state.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { singleTabLease, type TabLease } from "../../transport/tab-lease.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { fakeModel } from "../testing/fake-server.ts";
import { memoryTextStorage } from "../testing/memory-text-storage.ts";
import { UnsavedTexts } from "./unsaved-texts.ts";

const place = { table: "incidents", record: "i1", field: "title" };
const label = "Incidents · Title";

function opened(storage = memoryTextStorage(), user = "ann", lease = singleTabLease("t1")) {
  const store = createAtomStore();
  const clock = new FakeClock(1);
  const health = { isStored: true };
  const onStored = (isStored: boolean) => void Object.assign(health, { isStored });
  const models = { model: fakeModel };
  const context = () => models;
  const texts = new UnsavedTexts({ store, clock, user, storage, lease, context, onStored });
  const all = () => store.get(unsavedTextsAtom);
  /** The values of the only record that is loaded. */
  const load = (values: Values | null) =>
    store.set(tableAtom("incidents"), {
      ...closedTable,
      get: (id) => (id === "i1" && values ? ({ id, values } as RecordView) : undefined),
    });
  const shown = () => all().map(({ text }) => text);
  return { texts, storage, health, clock, all, models, load, shown };
}

it("names its record, also once that is gone, and over a reload", () => {
  const { texts, storage, all, load } = opened();
  load({ title: "Printer" });
  texts.setTyping(place, "Half a wo", label);
  load(null);
  texts.add({ ...place, text: "Half a word", label, reason: "The record was deleted." });
  texts.storeTyping();
  texts.add({ ...place, record: "i2", text: "Of no loaded record", label, reason: "" });
  const names = {
    "Half a word": "Printer",
    "Half a wo": "Printer",
    "Of no loaded record": undefined,
  };
  const namesOf = (listed: typeof all) =>
    Object.fromEntries(listed().map(({ text, name }) => [text, name]));
  expect(namesOf(all)).toEqual(names);
  expect(namesOf(opened(storage).all)).toEqual(names);
});

it("C34 forgets what a record is called that its author may no longer see, or the field that says so", () => {
  const { texts, storage, models, load } = opened();
  load({ title: "Printer" });
  const stored = () =>
    JSON.stringify(
      [...Array(storage.length)].map((_, at) => storage.getItem(storage.key(at) ?? "")),
    );
  texts.add({ ...place, text: "Mine", label, reason: "" });
  texts.forgetNames("incidents", (record) => record === "i1");
  texts.forgetHidden();
  expect(stored()).toContain("Printer");
  texts.forgetNames("incidents", () => false);
  expect(stored()).not.toContain("Printer");
  texts.setTyping(place, "Half a wo", label);
  const [table] = fakeModel.tables;
  const fields = table?.fields.filter(({ name }) => name !== "title") ?? [];
  models.model = { ...fakeModel, tables: [{ ...table, fields }] } as typeof fakeModel;
  texts.forgetHidden();
  texts.storeTyping();
  expect(stored()).toContain("Half a wo");
  expect(stored()).not.toContain("Printer");
});

it("labels a value of a field that the model has no more as the model before did", () => {
  const { texts, all, models } = opened();
  models.model = { version: 2, tables: [] };
  texts.addValue(place, "Mine", "The field was removed.");
  texts.forgetHidden();
  texts.addValue({ ...place, field: "rank" }, 7, "The field was removed.");
  expect(
    all()
      .map((text) => text.label)
      .sort(),
  ).toEqual(["Incidents · Rank", "Incidents · Title"]);
});

it("keeps a text that could not be saved until it is discarded, also over a reload", () => {
  const { texts, storage, shown } = opened();
  texts.add({ ...place, text: "Mine", label, reason: "Title is locked." });
  expect(shown()).toEqual(["Mine"]);
  const again = opened(storage);
  expect(again.shown()).toEqual(["Mine"]);
  for (const { id } of again.all()) again.texts.discard(id);
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

/** A tab of a browser in which the other tabs of a list are open, too. */
function tabBeside(tab: string, open: Set<string>): TabLease {
  const { release } = singleTabLease(tab);
  const takeOver = async (other: string, take: () => Promise<void>) => {
    if (open.has(other)) return false;
    await take();
    return true;
  };
  return { tab, takeOver, release };
}

it("stores what is being typed within seconds, and lists it when its tab has ended without closing the page", async () => {
  const open = new Set(["t1", "t2"]);
  const { texts, storage, clock, shown } = opened(
    memoryTextStorage(),
    "ann",
    tabBeside("t1", open),
  );
  texts.setTyping(place, "Half a", label);
  await clock.advance(1_500);
  texts.setTyping(place, "Half a wo", label);
  await clock.advance(600);
  texts.add({ ...place, field: "notes", text: "Other", label, reason: "" });
  expect(shown()).toEqual(["Other"]);
  const other = opened(storage, "ann", tabBeside("t2", open));
  await other.texts.adopt();
  expect(other.shown()).toEqual(["Other"]);
  open.delete("t1");
  await other.texts.adopt();
  expect(other.shown().sort()).toEqual(["Half a wo", "Other"]);
  // The next start lists it, too, whatever became of both tabs.
  expect(opened(storage).shown().sort()).toEqual(["Half a wo", "Other"]);
});

it("lists what was stored because the page went to the background, until its author types on", async () => {
  const open = new Set(["t1", "t2"]);
  const { texts, storage, clock } = opened(memoryTextStorage(), "ann", tabBeside("t1", open));
  const inOther = () => opened(storage, "ann", tabBeside("t2", open)).shown();
  texts.setTyping(place, "Half a wo", label);
  texts.storeTyping();
  await clock.advance(2_000);
  expect(inOther()).toEqual(["Half a wo"]);
  texts.setTyping(place, "Half a word", label);
  await clock.advance(2_000);
  expect(inOther()).toEqual([]);
});

it("forgets what was stored while it was being typed, once it is saved", async () => {
  const { texts, storage, clock } = opened();
  texts.setTyping(place, "Half a wo", label);
  await clock.advance(2_000);
  texts.clearTyping(place);
  await clock.advance(10_000);
  const other = opened(storage, "ann", singleTabLease("t2"));
  await other.texts.adopt();
  expect(other.shown()).toEqual([]);
});

it("lists a text that another one of the same place, being typed, happens to equal", async () => {
  const { texts, clock, shown } = opened();
  texts.add({ ...place, text: "Half a wo", label, reason: "" });
  texts.setTyping(place, "Half a wo", label);
  await clock.advance(2_000);
  texts.clearTyping(place);
  expect(shown()).toEqual(["Half a wo"]);
});

it("keeps every text of one place, also over a reload, and each text once", () => {
  const { texts, storage, shown } = opened();
  texts.add({ ...place, text: "A long note", label, reason: "Title is locked." });
  texts.setTyping(place, "Word", label);
  texts.storeTyping();
  const again = opened(storage);
  expect(again.shown().sort()).toEqual(["A long note", "Word"]);
  again.texts.add({ ...place, text: "Word", label, reason: "Title is locked." });
  expect(opened(storage).shown().sort()).toEqual(["A long note", "Word"]);
  // The same word in another cell is another text.
  again.texts.add({ ...place, record: "i2", text: "Word", label, reason: "Title is locked." });
  expect(again.shown().sort()).toEqual(["A long note", "Word", "Word"]);
  const [first] = again.all();
  again.texts.discard(first?.id ?? "");
  expect(opened(storage).shown()).toEqual(again.shown());
  for (let n = 0; n < 200; n += 1) texts.add({ ...place, text: `${n}`, label, reason: "" });
  expect(shown()).toHaveLength(202);
});

it("replaces a stored text by what was typed on from it", () => {
  const { texts, storage, all } = opened();
  texts.add({ ...place, text: "Half", label, reason: "" });
  texts.setTyping(place, "Half a word", label, all()[0]?.id);
  texts.storeTyping();
  const again = opened(storage);
  expect(again.shown()).toEqual(["Half a word"]);
  again.texts.setTyping(place, "Half a word!", label, again.all()[0]?.id);
  again.texts.clearTyping(place);
  expect(opened(storage).shown()).toEqual([]);
});

it("forgets what was typed on a page that was restored, once it is saved", () => {
  const { texts, storage, shown } = opened();
  texts.setTyping(place, "Half a wo", label);
  texts.storeTyping();
  texts.setTyping(place, "Half a word", label);
  texts.storeTyping();
  expect(opened(storage).shown()).toEqual(["Half a word"]);
  texts.clearTyping(place);
  expect([shown(), opened(storage).shown()]).toEqual([[], []]);
});

/** Two tabs of one user. Each hears of an entry that the other has removed only after all that the other did. */
function twoTabs() {
  const storage = memoryTextStorage();
  const removed: string[] = [];
  const { removeItem } = storage;
  const other = opened(storage);
  storage.removeItem = (key) => {
    removed.push(key);
    removeItem(key);
  };
  const mine = opened(storage);
  const hear = () => {
    for (const key of removed.splice(0)) other.texts.changedElsewhere(key);
  };
  return { storage, mine, other, hear };
}

it("leaves a text in the storage that another tab was closed with, and stored more than once", () => {
  const { storage, mine, hear } = twoTabs();
  mine.texts.setTyping(place, "Half a wo", label);
  mine.texts.storeTyping();
  mine.texts.storeTyping();
  hear();
  expect(opened(storage).shown()).toEqual(["Half a wo"]);
});

it("leaves a text in the storage that another tab took and stored again", () => {
  const { storage, mine, hear } = twoTabs();
  mine.texts.add({ ...place, text: "Half", label, reason: "" });
  const [text] = mine.all();
  mine.texts.setTyping(place, "Half a wo", label, text?.id);
  mine.texts.discard(text?.id ?? "");
  mine.texts.storeTyping();
  hear();
  expect(opened(storage).shown()).toEqual(["Half a wo"]);
});

it("shows no text that another tab has discarded, and the newer one that another tab has stored", () => {
  const storage = memoryTextStorage();
  const mine = opened(storage);
  mine.texts.add({ ...place, text: "Half", label, reason: "" });
  const id = mine.all()[0]?.id ?? "";
  const other = opened(storage);
  mine.texts.setTyping(place, "Half a wo", label, id);
  mine.texts.storeTyping();
  other.texts.changedElsewhere(`watchfloor.unsaved.ann.${id}`);
  expect(other.shown()).toEqual(["Half a wo"]);
  mine.texts.discard(id);
  other.texts.changedElsewhere(`watchfloor.unsaved.bob.${id}`);
  expect(other.shown()).toEqual(["Half a wo"]);
  other.texts.changedElsewhere(`watchfloor.unsaved.ann.${id}`);
  expect(other.shown()).toEqual([]);
});

it("reads the entries of the storage that can be read, whatever the others contain", () => {
  const { texts, storage } = opened();
  const prefix = "watchfloor.unsaved.ann.";
  storage.setItem(`${prefix}a`, "{");
  storage.setItem(`${prefix}b`, JSON.stringify({ text: "No place" }));
  texts.add({ ...place, text: "Mine", label, reason: "" });
  const earlier = { ...place, text: "Earlier", label, reason: "", at: 0 };
  storage.setItem(prefix + JSON.stringify(["incidents", "i1", "title"]), JSON.stringify(earlier));
  expect(opened(storage).shown()).toEqual(["Mine", "Earlier"]);
  expect(storage.getItem(`${prefix}a`)).toBe("{");
});

it("shows nobody the texts of another user of the browser", () => {
  const { texts, storage } = opened();
  texts.add({ ...place, text: "Mine", label, reason: "" });
  expect(opened(storage, "bob").shown()).toEqual([]);
});

it("works on where the storage refuses", () => {
  const storage = memoryTextStorage();
  storage.setItem = () => {
    throw new Error("full");
  };
  const { texts, shown } = opened(storage);
  texts.add({ ...place, text: "Mine", label, reason: "" });
  expect(shown()).toEqual(["Mine"]);
});

it("says that a full storage has not stored a text, until it has or the text is discarded", () => {
  const storage = memoryTextStorage();
  const { setItem } = storage;
  const fill = () => {
    storage.setItem = () => {
      throw new DOMException("Full.", "QuotaExceededError");
    };
  };
  fill();
  const { texts, health, all } = opened(storage);
  texts.add({ ...place, text: "Mine", label, reason: "Title is locked." });
  expect(health.isStored).toBe(false);
  storage.setItem = setItem;
  texts.retry();
  expect(health.isStored).toBe(true);
  expect(opened(storage).shown()).toEqual(["Mine"]);
  fill();
  texts.setTyping({ ...place, field: "notes" }, "Half a wo", label);
  expect(texts.storeTyping()).toBe(false);
  texts.clearTyping({ ...place, field: "notes" });
  expect(health.isStored).toBe(true);
  expect(all().map(({ text }) => text)).toEqual(["Mine"]);
});
