import { beforeEach, describe, expect, it } from "vitest";
import { diff, patch } from "../../../../shared/document/diff.ts";
import { type DocumentNode, leaf } from "../../../../shared/document/document-node.ts";
import type { Edit } from "../../../../shared/document/edit-history.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import {
  treeToWallboard,
  wallboardToTree,
} from "../../../../shared/model/wallboard/wallboard-tree.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import { draftAtom } from "../../state/draft-state.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { buildTile, FakeWallboardServer } from "../testing/fake-wallboard-server.ts";
import { WallboardDraft } from "./wallboard-draft.ts";
import { changedParts, patchOf, withoutTile, withTile } from "./wallboard-edits.ts";

let server: FakeWallboardServer;
let clock: FakeClock;
let store: ReturnType<typeof createAtomStore>;
let draft: WallboardDraft;
let canSend = true;
let refused: Edit<DocumentNode>[] = [];

const state = () => store.get(draftAtom("b"));
const text = (id: string, of = state().info) => {
  const tile = of?.tiles.find((one) => one.id === id);
  return tile?.kind === "text" ? tile.text : undefined;
};
const flushTasks = () => clock.advance(0);
const wallboard = () => state().info as WallboardInfo;
const tileOf = (id: string) => state().info?.tiles.find((tile) => tile.id === id) as Tile;

/** Types a text into a tile. */
function type(id: string, value: string): void {
  draft.edit(wallboard(), withTile(wallboard(), { ...tileOf(id), text: value } as Tile));
}

beforeEach(async () => {
  server = new FakeWallboardServer();
  clock = new FakeClock(1);
  store = createAtomStore();
  const atom = draftAtom("b");
  canSend = true;
  refused = [];
  draft = new WallboardDraft({
    ...{ api: server, store, atom, clock, describe: String },
    canSend: () => canSend,
    onUnsaved: () => {},
    onRefused: (edit) => refused.push(edit),
  });
  await draft.refresh();
});

describe("the draft of a wallboard", () => {
  it("shows an edit at once and keeps it through a cut", async () => {
    server.isAway = true;
    type("a", "one");
    expect([text("a"), state().waiting]).toEqual(["one", 1]);
    await flushTasks();
    server.isAway = false;
    await clock.advance(3_000);
    expect([text("a", server.wallboard), state().waiting]).toEqual(["one", 0]);
  });

  it("preserves an edit while nobody is signed in, and never sends it for somebody else", async () => {
    server.hasSession = false;
    type("a", "one");
    await flushTasks();
    expect([text("a"), state().waiting]).toEqual(["one", 1]);
    canSend = false;
    server.hasSession = true;
    await clock.advance(10_000);
    expect([text("a", server.wallboard), state().waiting]).toEqual(["a", 1]);
    canSend = true;
    await clock.advance(3_000);
    expect([text("a", server.wallboard), state().waiting]).toEqual(["one", 0]);
  });

  it("sends an edit again that the server fails on, and hands it back where it fails again and again", async () => {
    // Each edit by itself: those that were saved do not count.
    for (const value of ["zero", "one"]) {
      server.refusal = "internal";
      type("a", value);
      await clock.advance(5_000);
      server.refusal = null;
      await clock.advance(3_000);
      expect([text("a", server.wallboard), refused.length]).toEqual([value, 0]);
    }
    server.refusal = "internal";
    type("a", "two");
    await clock.advance(60_000);
    expect([state().waiting, refused.length]).toEqual([0, 1]);
    server.refusal = null;
    type("c", "three");
    await clock.advance(3_000);
    expect(text("c", server.wallboard)).toBe("three");
  });

  it("applies both edits when two users change different properties or tiles", async () => {
    server.colleague(buildTile("a", { title: "theirs" }), "a");
    server.colleague(buildTile("c", { text: "theirs" } as Partial<Tile>), "c");
    type("a", "mine");
    await flushTasks();
    expect(tileOf("a")).toMatchObject({ title: "theirs", text: "mine" });
    expect(text("c")).toBe("theirs");
    expect(state().conflicts).toEqual([]);
  });

  it("overwrites nothing unseen, and writes mine when I say so", async () => {
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    type("a", "mine");
    await flushTasks();
    expect(text("a")).toBe("theirs");
    const [conflict] = state().conflicts;
    expect(conflict).toEqual({
      path: ["tiles", "a", "text"],
      base: leaf("a"),
      mine: leaf("mine"),
      theirs: leaf("theirs"),
    });
    if (conflict) draft.resolve(conflict, "mine");
    await flushTasks();
    expect([text("a", server.wallboard), state().conflicts]).toEqual(["mine", []]);
  });

  it("asks whether to have a tile back that somebody removed while I changed it", async () => {
    server.colleague(null, "a");
    type("a", "mine");
    await flushTasks();
    const [conflict] = state().conflicts;
    expect(conflict).toMatchObject({ path: ["tiles", "a"], theirs: undefined });
    if (conflict) draft.resolve(conflict, "mine");
    await flushTasks();
    expect(text("a", server.wallboard)).toBe("mine");
  });

  it("undoes and redoes my edits, and leaves what somebody changed since", async () => {
    type("a", "one");
    draft.edit(wallboard(), withoutTile(wallboard(), "c"));
    await flushTasks();
    draft.undo();
    await flushTasks();
    expect(text("c", server.wallboard)).toBe("c");
    draft.redo();
    await flushTasks();
    expect(text("c", server.wallboard)).toBeUndefined();
    draft.undo();
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    draft.undo();
    await flushTasks();
    expect([text("a"), text("c")]).toEqual(["theirs", "c"]);
    expect(state().problem).toMatch(/Their change was not overwritten/);
    expect(state().conflicts).toEqual([]);
  });

  it("asks about a value that changed since its author began to type, and writes nothing where that did not differ", async () => {
    const seen = wallboard();
    const typed = (value: string) => withTile(seen, { ...buildTile("a"), text: value } as Tile);
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    await draft.refresh();
    draft.edit(seen, typed("a"));
    await flushTasks();
    expect([server.calls, state().conflicts]).toEqual([[], []]);
    draft.edit(seen, typed("mine"));
    await flushTasks();
    expect(text("a", server.wallboard)).toBe("theirs");
    expect(state().conflicts).toMatchObject([{ mine: leaf("mine"), theirs: leaf("theirs") }]);
  });

  it("says why the wallboard could not be read, until it could, and shows it again after it was restored", async () => {
    server.isAway = true;
    await draft.refresh();
    expect(state().problem).toMatch(/unavailable/);
    server.isAway = false;
    await draft.refresh();
    expect(state().problem).toBeNull();
    const { read } = server;
    server.read = () => Promise.reject(new Refusal("not_found"));
    await draft.refresh();
    expect(state().phase).toBe("gone");
    server.read = read;
    await draft.refresh();
    expect(state().phase).toBe("ready");
  });

  it("treats what the wallboard itself says alike", async () => {
    server.wallboard = { ...server.wallboard, version: 2, name: "Theirs", theme: "light" };
    draft.edit(wallboard(), { ...wallboard(), name: "Mine", zone: "Europe/Lisbon" });
    await flushTasks();
    expect(server.wallboard).toMatchObject({
      name: "Theirs",
      theme: "light",
      zone: "Europe/Lisbon",
    });
    expect(state().conflicts).toMatchObject([{ path: ["name"], theirs: leaf("Theirs") }]);
  });

  it("publishes with what was typed until then, or says that it is not saved and publishes nothing", async () => {
    type("a", "one");
    expect(await draft.publish()).toBe(true);
    expect(text("a", server.wallboard)).toBe("one");
    expect(state().info?.published?.version).toBe(state().info?.version);
    const published = state().info?.published?.version;
    server.isAway = true;
    type("a", "two");
    expect(await draft.publish()).toBe(false);
    expect(state().problem).not.toBeNull();
    server.isAway = false;
    await clock.advance(3_000);
    expect(text("a", server.wallboard)).toBe("two");
    expect(server.wallboard.published?.version).toBe(published);
  });

  it("publishes nothing where the edit that was on its way conflicts", async () => {
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    type("a", "mine");
    expect(await draft.publish()).toBe(false);
    expect(state().conflicts).toHaveLength(1);
    expect(server.wallboard.published).toBeNull();
  });

  it("does not go back to what was read before an edit and arrives after it", async () => {
    const before = server.wallboard;
    const late = Promise.withResolvers<WallboardInfo>();
    server.read = () => late.promise;
    const reading = draft.refresh();
    type("a", "one");
    await flushTasks();
    late.resolve(before);
    await reading;
    expect(text("a")).toBe("one");
    expect(await draft.publish()).toBe(true);
  });

  it("hands back the own values of open conflicts where the wallboard is gone", async () => {
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    type("a", "mine");
    await flushTasks();
    server.refusal = "not_found";
    await draft.refresh();
    expect(refused.map((edit) => changedParts(edit).to)).toMatchObject([
      { tiles: [{ id: "a", text: "mine" }] },
    ]);
    expect(state()).toMatchObject({ phase: "gone", conflicts: [] });
  });

  it("hands back no undo that is refused, and nothing once its page has ended", async () => {
    type("a", "one");
    await flushTasks();
    server.refusal = "forbidden";
    draft.undo();
    await flushTasks();
    expect([text("a"), state().waiting, refused]).toEqual(["one", 0, []]);
    expect(state().problem).not.toBeNull();
    type("a", "two");
    draft.stop();
    await flushTasks();
    expect([draft.waiting, refused]).toEqual([1, []]);
  });

  it("publishes what I saw, and not what somebody made of it meanwhile", async () => {
    expect(await draft.publish()).toBe(true);
    expect(state().info?.published?.version).toBe(1);
    server.colleague(buildTile("a", { title: "theirs" }), "a");
    expect(await draft.publish()).toBe(false);
    expect(state().problem).toMatch(/publish again/);
    expect(await draft.publish()).toBe(true);
  });
});

describe("the differences of an edit", () => {
  it("name what goes away when a tile becomes another kind", () => {
    const { layout } = buildTile("a");
    const before = wallboardToTree(server.wallboard);
    const clock: Tile = { id: "a", kind: "clock", hours: "24", layout };
    const differences = diff(before, wallboardToTree(withTile(server.wallboard, clock)));
    const { tiles } = patchOf(differences);
    expect(tiles).toEqual({ a: { kind: "clock", text: null, hours: "24" } });
    expect(treeToWallboard(patch(before, differences)).tiles[0]).toEqual(clock);
  });
});
