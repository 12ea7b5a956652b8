import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Model } from "../../../../../shared/model/model.ts";
import { tableSchema } from "../../../../../shared/model/model-schema.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { SharedDocument } from "../../../sync/documents/shared-document.ts";
import { addField, addTable, changeTable, withIds, withoutNewIds } from "../document/edit-model.ts";
import { isSameModel } from "../document/model-tree.ts";
import { findProblems } from "./find-problems.ts";
import { modelKind } from "./model-draft.ts";

const document: Model = {
  version: 1,
  tables: [
    {
      id: "jobs",
      name: "jobs",
      label: "Jobs",
      recordLabel: "job",
      display: "title",
      columns: ["title"],
      sort: [],
      fields: [{ id: "title", name: "title", label: "Title", type: "text" }],
    },
  ],
};
const published = (of: Model = document, version = 1): ModelDocument => ({
  version,
  by: "user:ana",
  at: "2026-11-21T10:00:00Z",
  document: { ...of, version },
});
const relabel = (label: string) => (model: Model) =>
  changeTable(model, "jobs", (table) => ({ ...table, label }));
const withField = (model: Model) => changeTable(model, "jobs", (table) => addField(table, "+f"));
const labelOf = (model: Model) => model.tables[0]?.label;

/** What the browser has stored, if anything, as the next page reads it. */
let stored: unknown = null;
/** A draft of the model, in a page that may be a later one than that of the stored draft. */
const openDraft = (now = published()) =>
  new SharedDocument(modelKind, now, {
    own: () => stored,
    put: (read) => {
      stored = JSON.parse(JSON.stringify(read()));
    },
  });
beforeEach(() => {
  stored = null;
});

describe("a draft of the model", () => {
  it("takes typing in one place back at once, and other edits one by one", () => {
    const draft = openDraft();
    for (const label of ["J", "Jo", "Job"]) draft.edit(relabel(label), "label");
    draft.edit(withField);
    draft.undo();
    expect(labelOf(draft.state.draft)).toBe("Job");
    draft.undo();
    expect([labelOf(draft.state.draft), draft.state.changed]).toEqual(["Jobs", false]);
    draft.redo();
    expect(labelOf(draft.state.draft)).toBe("Job");
  });

  it("takes back the edit that is meant, and keeps later ones", () => {
    const draft = openDraft();
    const undo = draft.edit(withField);
    draft.edit(relabel("Job"), "label");
    undo();
    expect(draft.state.draft.tables[0]?.fields).toHaveLength(1);
    expect(labelOf(draft.state.draft)).toBe("Job");
    draft.undo();
    expect(draft.state.draft.tables[0]?.fields).toHaveLength(2);
    draft.undo();
    expect(labelOf(draft.state.draft)).toBe("Jobs");
  });

  it("takes an edit back once, however often that is asked for", () => {
    const draft = openDraft();
    const undo = draft.edit(withField);
    draft.undo();
    undo();
    undo();
    expect([draft.state.changed, draft.state.canUndo]).toEqual([false, false]);
  });

  it("notifies its listeners, and follows new versions while it is unchanged", () => {
    const draft = openDraft();
    const listener = vi.fn();
    draft.subscribe(listener);
    draft.receive(published(relabel("Work")(document), 2));
    expect(listener).toHaveBeenCalledOnce();
    expect([labelOf(draft.state.draft), draft.state.newer]).toEqual(["Work", null]);
  });

  it("puts a version aside that comes between, and gives both ways back", () => {
    const createConflict = () => {
      const draft = openDraft();
      draft.edit(withField);
      draft.receive(published(relabel("Work")(document), 2));
      expect(draft.state.newer?.version).toBe(2);
      return draft;
    };
    const rebased = createConflict();
    rebased.rebase({});
    expect([labelOf(rebased.state.draft), rebased.state.draft.version]).toEqual(["Work", 2]);
    expect(rebased.state.draft.tables[0]?.fields).toHaveLength(2);
    const theirs = createConflict();
    theirs.takeTheirs();
    expect(theirs.state.changed).toBe(false);
    theirs.undo();
    expect(theirs.state.draft.tables[0]?.fields).toHaveLength(2);
  });

  it("knows its own version again, whose answer was lost on the way", () => {
    const draft = openDraft();
    draft.edit(withField);
    const saved = withoutNewIds(draft.state.draft);
    draft.receive(published(saved, 2));
    expect([draft.state.newer, draft.state.changed]).toEqual([null, false]);
  });

  it("goes on after a reload, also where another version came meanwhile", () => {
    const before = openDraft();
    before.edit(withField);
    const after = openDraft(published(relabel("Work")(document), 2));
    expect(after.state.newer?.version).toBe(2);
    expect(after.state.draft.tables[0]?.fields).toHaveLength(2);
    expect(isSameModel(openDraft().state.draft, before.state.draft)).toBe(true);
    before.discard();
    expect(stored).toBeNull();
  });

  it("stores of each table that is not changed one copy only", () => {
    const more = withIds(addTable(document, "+t"));
    openDraft(published(more)).edit(withField);
    const { draft } = stored as { draft: Model };
    expect(draft.tables).toMatchObject([{ name: "jobs" }, 1]);
    expect(openDraft(published(more)).state.draft.tables[1]).toEqual(more.tables[1]);
  });

  it("goes on from what an earlier build stored, and from nothing that can't be read", () => {
    stored = JSON.parse(JSON.stringify({ base: document, draft: relabel("")(document) }));
    const { changed, draft } = openDraft().state;
    expect([changed, labelOf(draft)]).toEqual([true, ""]);
    for (const other of [
      { base: document },
      { base: document, draft: { version: 1, tables: [7] } },
    ]) {
      stored = other;
      expect(openDraft().state.changed).toBe(false);
    }
  });
});

it("what the server would refuse is found by place, the form of it too", () => {
  const broken = changeTable(document, "jobs", (table) => ({
    ...table,
    label: "",
    display: "gone",
    rules: [{ filter: { and: [] }, message: "" }],
  }));
  const places = findProblems(broken).map(({ path }) => path.join("."));
  expect(places.sort()).toEqual([
    "tables.0.display",
    "tables.0.label",
    "tables.0.rules.0.filter",
    "tables.0.rules.0.message",
  ]);
});

it("the form of each table is checked once, and not at all where it is the published one", () => {
  const parse = vi.spyOn(tableSchema, "safeParse");
  const count = (of: Model, base?: Model) => {
    parse.mockClear();
    findProblems(of, base);
    return parse.mock.calls.length;
  };
  const base = withIds(document);
  const edited = withField(base);
  expect([count(base, base), count(edited, base), count(edited, base)]).toEqual([0, 1, 0]);
  const more = addTable(edited, "+t");
  expect([count(more, base), count(relabel("Jobs of today")(more), base)]).toEqual([1, 1]);
});
