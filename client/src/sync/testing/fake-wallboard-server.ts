import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";

export function buildTile(id: string, change: Partial<Tile> = {}): Tile {
  const layout = { x: 0, y: 0, w: 2, h: 2 };
  return { id, kind: "text", text: id, layout, ...change } as Tile;
}

/** A server with one wallboard that compares cells with their base, as the real one does. */
export class FakeWallboardServer {
  wallboard: WallboardInfo = {
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
  /** The board is gone, or may no longer be edited; or the server fails. */
  refusal: "not_found" | "forbidden" | "internal" | null = null;
  hasSession = true;
  calls: PatchWallboardCall[] = [];

  read = async () => {
    if (this.isAway) throw new Refusal("unavailable");
    if (this.refusal) throw new Refusal(this.refusal);
    return this.wallboard;
  };
  publish = async (version: number) => {
    if (version !== this.wallboard.version) throw new Refusal("conflict");
    this.wallboard = { ...this.wallboard, published: { version, at: "", by: null } };
    return this.wallboard;
  };
  patch = async (call: PatchWallboardCall) => {
    if (this.isAway) throw new Refusal("unavailable");
    if (!this.hasSession) throw new Refusal("session_ended");
    if (this.refusal) throw new Refusal(this.refusal);
    this.calls.push(call);
    const { tiles: _seen, ...seen } = call.base ?? {};
    for (const [part, value] of Object.entries(seen)) {
      const stored = this.wallboard[part as keyof WallboardInfo];
      if (!deepEqual(stored, value)) throw new Refusal("conflict");
    }
    const sets = Object.entries((call.tiles ?? {}) as Record<string, Record<string, never> | null>);
    for (const [id] of sets) {
      const stored = (this.wallboard.tiles.find((tile) => tile.id === id) ?? null) as never;
      const base = call.base?.tiles?.[id] ?? null;
      const seen =
        base === null
          ? [stored === null]
          : Object.entries(base).map(([name, value]) => deepEqual(stored?.[name] ?? null, value));
      if (seen.includes(false)) throw new Refusal("conflict");
    }
    const { tiles: _tiles, base: _base, version: _version, ...own } = call;
    this.#write(sets, own);
    return this.wallboard;
  };

  /** Somebody else's edit. */
  colleague(tile: Tile | null, id: string): void {
    const others = this.wallboard.tiles.filter((one) => one.id !== id);
    const tiles = tile ? [...others, tile] : others;
    this.wallboard = { ...this.wallboard, version: this.wallboard.version + 1, tiles };
  }

  #write(sets: [string, Record<string, never> | null][], own: object): void {
    let { tiles } = this.wallboard;
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
    this.wallboard = { ...this.wallboard, ...own, version: this.wallboard.version + 1, tiles };
  }
}
