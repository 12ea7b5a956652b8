import { cleanNotifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { accountAtom } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import type { TextPlace } from "../../state/unsaved-texts.ts";
import { runUndoStep } from "../undo.ts";
import {
  editByName,
  isLookedUp,
  namedSoFar,
  replaceNamed,
  targetOfUnsaved,
} from "./edit-by-name.ts";

const ward: Field = { name: "ward", label: "Ward", type: "link", target: "wards" };
const place: TextPlace = { table: "beds", record: "b1", field: "ward" };
const beds = { name: "beds", label: "Beds", fields: [ward] };
const table = { read: true, update: ["ward"], fields: ["ward"] };

let held = 0;
let unsaved: { record: string; text: string; reason: string }[] = [];
let saved: Json[] = [];
let ids = new Map<string, string>();

beforeEach(() => {
  [held, unsaved, saved, ids] = [0, [], [], new Map()];
  vi.stubGlobal("document", { querySelector: () => ({}) });
  const session = { abilities: { tables: { beds: table } } };
  store.set(accountAtom, { data: { model: { tables: [beds] }, session } } as never);
});
afterEach(() => {
  vi.unstubAllGlobals();
  cleanNotifications();
  store.set(accountAtom, { kind: "signedOut" } as never);
});

const core = {
  edits: {
    currentId: (_table: string, record: string) => ids.get(record) ?? record,
    keepDraft: () => {},
  },
  texts: {
    holdTyped: () => {
      held += 1;
      return () => {
        held -= 1;
      };
    },
    add: (text: { record: string; text: string; reason: string }) => unsaved.push(text),
  },
};

/** Ends an edit by a text; the returned function answers what it names. */
function type(text: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ id: string; label: string }[]>();
  const save = (value: Json) => saved.push(value);
  const edit = { place, field: ward, text, label: "Beds · Ward", save };
  const done = editByName(core, { named: () => promise }, edit);
  const answer = async (...found: string[]) => {
    resolve(found.map((id) => ({ id, label: text })));
    await done;
  };
  const fail = async (error: unknown) => {
    reject(error);
    await done;
  };
  return { answer, fail };
}

it("saves what the text names, and holds the text until then", async () => {
  const { answer } = type("ICU");
  expect(held).toBe(1);
  expect(isLookedUp(place)).toBe(true);
  await answer("w1");
  expect(saved).toEqual(["w1"]);
  expect(unsaved).toEqual([]);
  expect([held, isLookedUp(place)]).toEqual([0, false]);
});

it("stores a text as unsaved that names nothing, several, or can't be looked up, under the record's id of then", async () => {
  const [none, several, refused] = [type("Nowhere"), type("Twin"), type("Hidden")];
  await none.answer();
  await several.answer("w1", "w2");
  ids.set("b1", "b1 now");
  await refused.fail(new Refusal("forbidden"));
  // Only the last edit of a place counts.
  expect(unsaved).toMatchObject([{ record: "b1 now", text: "Hidden" }]);
  await type("Nowhere").answer();
  await type("Twin").answer("w1", "w2");
  expect(unsaved.slice(1)).toMatchObject([
    { text: "Nowhere", reason: expect.stringContaining("Nothing in the list of Ward") },
    { text: "Twin", reason: expect.stringContaining("Several items of Ward") },
  ]);
  expect(saved).toEqual([]);
});

it("lets a later edit of the cell replace it, whichever is answered first", async () => {
  const [first, second] = [type("ICU"), type("North")];
  await second.answer("north");
  await first.answer("icu");
  const third = type("South");
  replaceNamed(place);
  await third.answer("south");
  expect(saved).toEqual(["north"]);
  // What was pasted before it is written later.
  const pasted = namedSoFar();
  const fourth = type("West");
  replaceNamed(place, pasted);
  await fourth.answer("west");
  expect(saved).toEqual(["north", "west"]);
  expect([unsaved, held]).toEqual([[], 0]);
});

it("is undone as a step of its own, also while it is looked up", async () => {
  const undone: Json[][] = [];
  const undo = async () => {
    undone.push([...saved]);
    return { changes: [], skipped: [] };
  };
  const steps = { undo, redo: () => null };
  const { answer } = type("ICU");
  const undoing = runUndoStep(steps, "undo", { table: "beds" });
  // In another table nothing is looked up, and the step of a notice is the one that it names.
  await runUndoStep(steps, "undo", { table: "wards" });
  await runUndoStep(steps, "undo", { batch: "before" });
  expect(undone).toEqual([[], []]);
  await answer("w1");
  await undoing;
  expect(undone).toEqual([[], [], ["w1"]]);
});

it("stores the text as unsaved where the field can't be written any more", async () => {
  const { answer } = type("ICU");
  store.set(accountAtom, {
    data: { model: { tables: [] }, session: { abilities: { tables: {} } } },
  } as never);
  await answer("w1");
  expect(saved).toEqual([]);
  expect(unsaved).toMatchObject([{ text: "ICU" }]);
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
