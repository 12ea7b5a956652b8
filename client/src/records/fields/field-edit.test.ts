import { cleanNotifications } from "@mantine/notifications";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { accountAtom } from "../../state/account.ts";
import { type ConnectionKind, connectionAtom } from "../../state/connection-state.ts";
import type { RecordView } from "../../state/record-view.ts";
import { store } from "../../state/store.ts";
import { type TextPlace, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { runUndoStep } from "../undo.ts";
import {
  baseOf,
  FieldEdit,
  isLookedUp,
  namedSoFar,
  noteSaved,
  targetOfUnsaved,
  untilLookedUp,
} from "./field-edit.ts";
import { type Parsed, parseInput } from "./typed-text.ts";

const ward: Field = { name: "ward", label: "Ward", type: "link", target: "wards" };
const places: Field = { name: "places", label: "Places", type: "integer" };
const beds = { name: "beds", label: "Beds", fields: [ward, places] };
const place: TextPlace = { table: "beds", record: "b1", field: "ward" };
const mayUpdate = { read: true, update: ["ward", "places"], fields: ["ward", "places"] };

interface Listed extends TextPlace {
  text: string;
  reason: string;
}
type View = Pick<RecordView, "id" | "values" | "confirmed" | "cells">;

/** What is noted as being typed, by record; what is held while it is looked up; what is listed; what was saved, and on what base. */
let noted = new Map<string, string>();
let held = 0;
let unsaved: Listed[] = [];
let saved: { value: Json; base: Json }[] = [];
let dropped = 0;
let ids = new Map<string, string>();
let view: View;
let answers: ((found: string[]) => void)[] = [];
let fail: (error: unknown) => void = () => {};

const newCore = () => ({
  edits: {
    currentId: (_table: string, record: string) => ids.get(record) ?? record,
    edit: (_table: string, edit: { set: Record<string, Json>; base: Record<string, Json> }) => {
      const [[field, value] = ["", null]] = Object.entries(edit.set);
      saved.push({ value, base: edit.base[field] ?? null });
      view = { ...view, values: { ...view.values, [field]: value } };
    },
    drop: () => {
      dropped += 1;
      view = { ...view, cells: {} };
    },
  },
  texts: {
    setTyping: ({ record }: TextPlace, text: string) => noted.set(record, text),
    clearTyping: ({ record }: TextPlace) => noted.delete(record),
    holdTyped: ({ record }: TextPlace) => {
      noted.delete(record);
      held += 1;
      return () => {
        held -= 1;
      };
    },
    add: ({ table, record, field, text, reason }: Listed) => {
      const id = `text ${unsaved.push({ table, record, field, text, reason })}`;
      store.set(unsavedTextsAtom, [...store.get(unsavedTextsAtom), { id } as never]);
      return id;
    },
    discard: (discarded: string) =>
      store.set(
        unsavedTextsAtom,
        store.get(unsavedTextsAtom).filter(({ id }) => id !== discarded),
      ),
  },
});
let core = newCore();
const labels = {
  named: (_field: Field, text: string) =>
    new Promise<{ id: string; label: string }[]>((resolve, reject) => {
      answers.push((found) => resolve(found.map((id) => ({ id, label: text }))));
      fail = reject;
    }),
};

const setAccount = (tables: readonly object[], abilities: object) =>
  store.set(accountAtom, { data: { model: { tables }, session: { abilities } } } as never);

beforeEach(() => {
  [noted, held, unsaved, saved, dropped] = [new Map(), 0, [], [], 0];
  [ids, answers] = [new Map(), []];
  view = { id: "b1", values: { places: 2, ward: null }, confirmed: null, cells: {} };
  core = newCore();
  vi.stubGlobal("document", { querySelector: () => ({}) });
  setAccount([beds], { tables: { beds: mayUpdate } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  cleanNotifications();
  store.set(accountAtom, { kind: "signedOut" } as never);
  store.set(unsavedTextsAtom, []);
});

const at = (field: Field) => ({
  ...{ core, labels, table: beds, field, record: "b1" },
  viewOf: () => view as RecordView,
});
const shown = (field: Field) => baseOf(at(field), view as RecordView);

/** Types a text into a field; the edit is not ended. */
function typed(
  field: Field,
  text: string,
  more: Partial<ConstructorParameters<typeof FieldEdit>[0]> = {},
): FieldEdit {
  const edit = new FieldEdit({ at: at(field), base: shown(field), ...more });
  const unsearched: Parsed = { ok: false, message: "", unsearched: true };
  edit.type(field === ward ? unsearched : parseInput(field, text), text);
  return edit;
}

describe("an edit of a field", () => {
  it("is noted from its first key on, and saved once, on the base of what its author saw", () => {
    const edit = typed(places, "7");
    expect([...noted.values()]).toEqual(["7"]);
    view = { ...view, values: { places: 3 } };
    edit.end();
    edit.end();
    expect(saved).toEqual([{ value: 7, base: 2 }]);
    expect([noted.size, unsaved]).toEqual([0, []]);
  });

  it("leaves nothing behind where its author takes it back, or changes nothing", () => {
    typed(places, "7").cancel();
    typed(places, "2").end();
    const taken = typed(places, "8");
    taken.cancel();
    taken.end();
    expect([saved, unsaved, noted.size]).toEqual([[], [], 0]);
  });

  it("is an unsaved text where it is no value, and where its field can't be written by now", () => {
    const marked: unknown[] = [];
    typed(places, "7x", { onUnsaved: (one) => marked.push(one) }).end();
    const edit = typed(places, "7");
    setAccount([{ ...beds, fields: [ward] }], { tables: { beds: mayUpdate } });
    edit.end();
    typed(places, "8", { locked: "Locked by its state." }).end();
    expect(unsaved).toMatchObject([
      { text: "7x", reason: expect.stringContaining("whole number") },
      { text: "7" },
      { text: "8", reason: "Locked by its state." },
    ]);
    // What can be read can be saved as it is once the field can be written.
    expect(marked).toMatchObject([{ text: "7x", listed: "text 1" }]);
    expect([saved, noted.size]).toEqual([[], 0]);
  });

  it("is readable where it is a value or may name one, so that a form may end it", () => {
    expect(typed(places, "7").isReadable).toBe(true);
    expect(typed(places, "7x").isReadable).toBe(false);
    expect(typed(ward, "ICU").isReadable).toBe(true);
    // What is of no record is not looked up.
    expect(typed(ward, "ICU", { at: null }).isReadable).toBe(false);
  });

  it("follows its record to another id, with the note and with what is listed", () => {
    const edit = typed(places, "7x");
    ids.set("b1", "b1 now");
    edit.note();
    expect([...noted]).toEqual([["b1 now", "7x"]]);
    edit.end();
    expect(unsaved).toMatchObject([{ record: "b1 now", text: "7x" }]);
    expect(noted.size).toBe(0);
  });

  it("is listed as it was typed where the form around it is taken away, or refused later", () => {
    const [taken, refused] = [typed(places, "7x"), typed(places, "7")];
    taken.leave("Not sent.");
    refused.cancel();
    refused.leave("Somebody was first.");
    expect(unsaved).toMatchObject([
      { text: "7x", reason: "Not sent." },
      { text: "7", reason: "Somebody was first." },
    ]);
    expect(noted.size).toBe(0);
  });

  it("notes no blank where nothing was, and notes it where a value was cleared", () => {
    typed(places, "");
    expect([...noted.values()]).toEqual([""]);
    view = { ...view, values: { places: null } };
    typed(places, " ");
    expect(noted.size).toBe(0);
  });

  it("hands its value over instead of saving it, as soon as it has one", async () => {
    const given: Json[] = [];
    const give = (value: Json) => given.push(value);
    expect(typed(places, "7x").endWith(give)).toBeNull();
    const edit = typed(places, "7");
    await edit.endWith(give);
    edit.end();
    const named = typed(ward, "ICU").endWith(give);
    expect(given).toEqual([7]);
    answers[0]?.(["w1"]);
    await named;
    expect(given).toEqual([7, "w1"]);
    expect([saved, noted.size, held]).toEqual([[], 0, 0]);
  });
});

describe("the base of an edit", () => {
  it("is what its author has saved there, before it is drawn", () => {
    const drawn = view as RecordView;
    typed(places, "7").end();
    expect(baseOf(at(places), drawn)).toBe(7);
    const next = new FieldEdit({ at: at(places), base: baseOf(at(places), drawn) });
    next.type({ ok: true, value: 8 }, "8");
    next.end();
    expect(saved).toEqual([
      { value: 7, base: 2 },
      { value: 8, base: 7 },
    ]);
  });

  it("goes on from what was saved in the field while it was open", () => {
    const edit = typed(places, "8");
    noteSaved(at(places), [{ record: "b1", field: "places", base: 2, value: 5 }]);
    // A text that was typed elsewhere before may be saved later.
    noteSaved(at(places), [{ record: "b2", field: "places", base: null, value: 1 }]);
    edit.end();
    expect(saved).toEqual([{ value: 8, base: 5 }]);
  });

  it("is what is stored where a value was refused, which typing the stored value ends", () => {
    const refused = { kind: "rejected", mine: 9, edit: {} } as RecordView["cells"][string];
    view = { ...view, cells: { places: refused } };
    typed(places, "10", { base: 9 }).end();
    expect(saved).toEqual([{ value: 10, base: 2 }]);
    view = { ...view, values: { places: 2 }, cells: { places: refused } };
    typed(places, "2", { base: 9 }).end();
    expect([saved.length, dropped]).toEqual([1, 2]);
    // Typed once more, it is tried once more.
    view = { ...view, cells: { places: refused } };
    typed(places, "9", { base: 9 }).end();
    expect(saved.slice(1)).toEqual([{ value: 9, base: 2 }]);
  });
});

/** Ends an edit by a text; the returned functions answer what it names. */
function end(text: string) {
  typed(ward, text).end();
  const [answer, failed] = [answers.at(-1), fail];
  const taken = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    answer: (...found: string[]) => {
      answer?.(found);
      return taken();
    },
    fail: (error: unknown) => {
      failed(error);
      return taken();
    },
  };
}
const values = () => saved.map(({ value }) => value);

describe("a text that is looked up", () => {
  it("is held until what it names is saved", async () => {
    const { answer } = end("ICU");
    expect(held).toBe(1);
    expect(isLookedUp(place)).toBe(true);
    await answer("w1");
    expect(values()).toEqual(["w1"]);
    expect(unsaved).toEqual([]);
    expect([held, isLookedUp(place)]).toEqual([0, false]);
  });

  it("is unsaved where it names nothing, several, or can't be looked up, under the record's id of then", async () => {
    const [none, several, refused] = [end("Nowhere"), end("Twin"), end("Hidden")];
    await none.answer();
    await several.answer("w1", "w2");
    ids.set("b1", "b1 now");
    await refused.fail(new Refusal("forbidden"));
    // Only the last edit of a place counts.
    expect(unsaved).toMatchObject([{ record: "b1 now", text: "Hidden" }]);
    await end("Nowhere").answer();
    await end("Twin").answer("w1", "w2");
    expect(unsaved.slice(1)).toMatchObject([
      { text: "Nowhere", reason: expect.stringContaining("Nothing in the list of Ward") },
      { text: "Twin", reason: expect.stringContaining("Several items of Ward") },
    ]);
    expect(saved).toEqual([]);
  });

  it("is replaced by a later edit of the field, whichever is answered first", async () => {
    const [first, second] = [end("ICU"), end("North")];
    await second.answer("north");
    await first.answer("icu");
    const third = end("South");
    const save = (until?: number) =>
      noteSaved(at(ward), [{ record: "b1", field: "ward", base: null, value: null }], until);
    save();
    await third.answer("south");
    expect(values()).toEqual(["north"]);
    // What was pasted before it is written later.
    const pasted = namedSoFar();
    const fourth = end("West");
    save(pasted);
    await fourth.answer("west");
    expect(values()).toEqual(["north", "west"]);
    expect([unsaved, held]).toEqual([[], 0]);
  });

  it("is undone as a step of its own, also while it is looked up", async () => {
    const undone: Json[][] = [];
    const undo = async () => {
      undone.push(values());
      return { changes: [], skipped: [] };
    };
    const steps = { undo, redo: () => null };
    const { answer } = end("ICU");
    const undoing = runUndoStep(steps, "undo", { table: "beds" });
    // In another table nothing is looked up, and the step of a notice is the one that it names.
    await runUndoStep(steps, "undo", { table: "wards" });
    await runUndoStep(steps, "undo", { batch: "before" });
    expect(undone).toEqual([[], []]);
    await answer("w1");
    await undoing;
    expect(undone).toEqual([[], [], ["w1"]]);
  });

  it("is unsaved where the field can't be written any more", async () => {
    const { answer } = end("ICU");
    setAccount([], { tables: {} });
    await answer("w1");
    expect(saved).toEqual([]);
    expect(unsaved).toMatchObject([{ text: "ICU" }]);
  });
});

describe("a text that is typed without a connection", () => {
  const unreachable = new Refusal("unavailable", { offline: true });
  const listedIds = () => store.get(unsavedTextsAtom).map(({ id }) => id);
  const connect = (kind: ConnectionKind = "live") =>
    store.set(connectionAtom, { ...store.get(connectionAtom), kind });
  /** Typed, and not looked up because there is no connection. */
  async function left(text: string) {
    connect("offline");
    await end(text).fail(unreachable);
  }
  /** The connection is back; returns what answers the look-up. */
  async function back() {
    const before = answers.length;
    connect();
    await vi.waitFor(() => expect(answers.length).toBe(before + 1));
    return (...found: string[]) => {
      answers.at(-1)?.(found);
      return new Promise((resolve) => setTimeout(resolve, 0));
    };
  }

  it("is listed meanwhile, and saved when the connection is back and it names one", async () => {
    await left("ICU");
    expect([unsaved, listedIds()]).toMatchObject([[{ text: "ICU" }], ["text 1"]]);
    // An undo does not wait until then.
    expect(untilLookedUp("beds")).toBeNull();
    connect("reconnecting");
    await (await back())("w1");
    expect(saved).toEqual([{ value: "w1", base: null }]);
    expect(listedIds()).toEqual([]);
  });

  it("stays listed where it names none then, with that reason", async () => {
    await left("Nowhere");
    await (await back())();
    expect(unsaved.at(-1)).toMatchObject({
      text: "Nowhere",
      reason: expect.stringContaining("Nothing in the list of Ward"),
    });
    expect(saved).toEqual([]);
  });

  it("is looked up once more where the connection is lost again before the answer", async () => {
    await left("ICU");
    await back();
    fail(unreachable);
    await new Promise((resolve) => setTimeout(resolve, 0));
    connect("offline");
    await (await back())("w1");
    expect(values()).toEqual(["w1"]);
    expect(unsaved).toHaveLength(1);
  });

  it("is left to its author where they have edited the field since, or discarded it", async () => {
    await left("ICU");
    noteSaved(at(ward), [{ record: "b1", field: "ward", base: null, value: "w2" }]);
    await left("North");
    core.texts.discard("text 2");
    const before = answers.length;
    connect();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(answers.length).toBe(before);
    expect([saved, listedIds()]).toEqual([[], ["text 1"]]);
  });
});

it("takes an unsaved text by label or by id, and neither where these are two targets", async () => {
  const lookUp = (byLabel: string[], byId: string[]) => ({
    named: async () => byLabel.map((id) => ({ id, label: `${id} North` })),
    resolve: async (_field: Field, [text = ""]: readonly string[]) => new Map([[text, byId]]),
  });
  const read = (...found: Parameters<typeof lookUp>) =>
    targetOfUnsaved(lookUp(...found), ward, "3");
  expect(await read(["w1"], [])).toEqual({ ok: true, value: "w1" });
  expect(await read([], ["3"])).toEqual({ ok: true, value: "3" });
  expect(await read(["w1"], ["w1"])).toEqual({ ok: true, value: "w1" });
  expect(await read(["w1"], ["3"])).toMatchObject({ ok: false });
  expect(await read([], [])).toMatchObject({ ok: false });
});
