import { beforeEach, describe, expect, it } from "vitest";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { diff, patch } from "../../../../shared/document/diff.ts";
import { leaf } from "../../../../shared/document/document-node.ts";
import { boardToTree, treeToBoard } from "../../../../shared/model/wallboard/board-tree.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import { draftAtom } from "../../state/draft-state.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { patchOf, withoutTile, withTile } from "./board-edits.ts";
import { WallboardDraft } from "./wallboard-draft.ts";

function buildTile(id: string, change: Partial<Tile> = {}): Tile {
  const layout = { x: 0, y: 0, w: 2, h: 2 };
  return { id, kind: "text", text: id, layout, ...change } as Tile;
}

/** A server with one board that compares cells with their base, as the real one does. */
class FakeServer {
  board: WallboardInfo = {
    id: "b",
    version: 1,
    name: "Wall",
    tiles: [buildTile("a"), buildTile("c")],
    hidden: [],
    grid: { columns: 12, rows: 8 },
    zone: "UTC",
    theme: "dark",
    published: null,
    updated: { at: "", by: null },
  };
  isAway = false;
  calls: PatchWallboardCall[] = [];

  read = async () => this.board;
  publish = async (version: number) => {
    if (version !== this.board.version) throw new Refusal("conflict");
    this.board = { ...this.board, published: { version, at: "", by: null } };
    return this.board;
  };
  patch = async (call: PatchWallboardCall) => {
    if (this.isAway) throw new Refusal("unavailable");
    this.calls.push(call);
    const { tiles: _seen, ...seen } = call.base ?? {};
    for (const [part, value] of Object.entries(seen)) {
      const stored = this.board[part as keyof WallboardInfo];
      if (!deepEqual(stored, value)) throw new Refusal("conflict");
    }
    const sets = Object.entries((call.tiles ?? {}) as Record<string, Record<string, never> | null>);
    for (const [id] of sets) {
      const stored = (this.board.tiles.find((tile) => tile.id === id) ?? null) as never;
      const base = call.base?.tiles?.[id] ?? null;
      const seen =
        base === null
          ? [stored === null]
          : Object.entries(base).map(([name, value]) => deepEqual(stored?.[name] ?? null, value));
      if (seen.includes(false)) throw new Refusal("conflict");
    }
    const { tiles: _tiles, base: _base, version: _version, ...own } = call;
    this.#write(sets, own);
    return this.board;
  };

  /** Somebody else's edit. */
  colleague(tile: Tile | null, id: string): void {
    const others = this.board.tiles.filter((one) => one.id !== id);
    const tiles = tile ? [...others, tile] : others;
    this.board = { ...this.board, version: this.board.version + 1, tiles };
  }

  #write(sets: [string, Record<string, never> | null][], own: object): void {
    let { tiles } = this.board;
    for (const [id, set] of sets) {
      const was = tiles.find((tile) => tile.id === id);
      const next =
        set &&
        Object.fromEntries(
          Object.entries({ ...was, ...set }).filter(([, value]) => value !== null),
        );
      tiles = tiles.filter((tile) => tile.id !== id);
      if (next) tiles = [...tiles, next as unknown as Tile];
    }
    this.board = { ...this.board, ...own, version: this.board.version + 1, tiles };
  }
}

let server: FakeServer;
let clock: FakeClock;
let store: ReturnType<typeof createAtomStore>;
let draft: WallboardDraft;

const state = () => store.get(draftAtom("b"));
const text = (id: string, of = state().info) => {
  const tile = of?.tiles.find((one) => one.id === id);
  return tile?.kind === "text" ? tile.text : undefined;
};
const flushTasks = () => clock.advance(0);
const board = () => state().info as WallboardInfo;
const tileOf = (id: string) => state().info?.tiles.find((tile) => tile.id === id) as Tile;

/** Types a text into a tile. */
function type(id: string, value: string): void {
  draft.edit(board(), withTile(board(), { ...tileOf(id), text: value } as Tile));
}

beforeEach(async () => {
  server = new FakeServer();
  clock = new FakeClock(1);
  store = createAtomStore();
  const atom = draftAtom("b");
  draft = new WallboardDraft({ api: server, store, atom, clock, describe: String });
  await flushTasks();
});

describe("the draft of a board", () => {
  it("shows an edit at once and keeps it through a cut", async () => {
    server.isAway = true;
    type("a", "one");
    expect([text("a"), state().waiting]).toEqual(["one", 1]);
    await flushTasks();
    server.isAway = false;
    await clock.advance(3_000);
    expect([text("a", server.board), state().waiting]).toEqual(["one", 0]);
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
    expect([text("a", server.board), state().conflicts]).toEqual(["mine", []]);
  });

  it("asks whether to have a tile back that somebody removed while I changed it", async () => {
    server.colleague(null, "a");
    type("a", "mine");
    await flushTasks();
    const [conflict] = state().conflicts;
    expect(conflict).toMatchObject({ path: ["tiles", "a"], theirs: undefined });
    if (conflict) draft.resolve(conflict, "mine");
    await flushTasks();
    expect(text("a", server.board)).toBe("mine");
  });

  it("undoes and redoes my edits, and leaves what somebody changed since", async () => {
    type("a", "one");
    draft.edit(board(), withoutTile(board(), "c"));
    await flushTasks();
    draft.undo();
    await flushTasks();
    expect(text("c", server.board)).toBe("c");
    draft.redo();
    await flushTasks();
    expect(text("c", server.board)).toBeUndefined();
    draft.undo();
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    draft.undo();
    await flushTasks();
    expect([text("a"), text("c")]).toEqual(["theirs", "c"]);
    expect(state().problem).toMatch(/Their change was not overwritten/);
    expect(state().conflicts).toEqual([]);
  });

  it("treats what the board itself says alike", async () => {
    server.board = { ...server.board, version: 2, name: "Theirs", theme: "light" };
    draft.edit(board(), { ...board(), name: "Mine", zone: "Europe/Lisbon" });
    await flushTasks();
    expect(server.board).toMatchObject({ name: "Theirs", theme: "light", zone: "Europe/Lisbon" });
    expect(state().conflicts).toMatchObject([{ path: ["name"], theirs: leaf("Theirs") }]);
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
    const before = boardToTree(server.board);
    const clock: Tile = { id: "a", kind: "clock", hours: "24", layout };
    const differences = diff(before, boardToTree(withTile(server.board, clock)));
    const { tiles } = patchOf(differences);
    expect(tiles).toEqual({ a: { kind: "clock", text: null, hours: "24" } });
    expect(treeToBoard(patch(before, differences)).tiles[0]).toEqual(clock);
  });
});
