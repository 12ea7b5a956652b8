import type { Table } from "../../shared/model/model.ts";
import { findTable } from "../../shared/model/model.ts";
import { type DataTile, type TileInput, tileSchema } from "../../shared/model/wallboard/tile.ts";
import { tileNeeds } from "../../shared/model/wallboard/tile-needs.ts";
import type { Role } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { WallboardInfo } from "../../shared/protocol/wallboards.ts";
import type { Dice } from "../convergence/dice.ts";
import type { Desk } from "../harness/desk.ts";
import { addPerson, type Person } from "../harness/person.ts";
import { until } from "../harness/until.ts";
import { pairScreen } from "../harness/wall.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, randomGrants } from "./random-role.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";
import type { Watcher } from "./watcher.ts";

interface Setting {
  desk: Desk;
  known: Knowledge;
  dice: Dice;
  /** Makes the tap for whoever has this id. */
  tapOf: (id: string) => Tap;
}

const SWAPPED_WITHIN_MS = 60_000;
const publisherAttributes = { group: groups[0] ?? "" };

/**
 * Wallboards over the canaries: one that everybody looks at in their own scope, and one on a screen on
 * the wall, which shows what its publisher could read when they published it.
 */
export class CanaryBoards {
  /** The board that everybody looks at. */
  readonly board: string;
  readonly #setting: Setting;
  readonly #tiles: readonly TileInput[];
  #wall!: { publisher: Person; role: string; board: string; screen: TappedLine; id: string };

  private constructor(setting: Setting, board: string, tiles: readonly TileInput[]) {
    this.#setting = setting;
    this.board = board;
    this.#tiles = tiles;
  }

  static async open(setting: Setting): Promise<CanaryBoards> {
    const { boss } = setting.desk;
    const tiles = boardTiles(setting.known);
    const { id } = await boss.call<WallboardInfo>("POST", "/wallboards", { name: "Watch", tiles });
    const boards = new CanaryBoards(setting, id, tiles);
    await boards.#hangWall();
    return boards;
  }

  async follow({ tapped }: Watcher): Promise<void> {
    await tapped.show(this.board);
    await tapped.show("home");
    await tapped.show("tables");
  }

  /** Questions about boards; the refusal of a change tells of conflicts. */
  async ask({ tapped }: Watcher): Promise<void> {
    const { dice } = this.#setting;
    const tile = dice.pick(this.#tiles);
    const seen = { tiles: { [tile.id]: { title: "never", filter: null, measure: null } } };
    await tapped.rest("PATCH", `/wallboards/${this.board}`, { theme: "dark", base: seen });
    await tapped.rest("GET", dice.next() < 0.5 ? "/wallboards" : `/wallboards/${this.board}`);
  }

  /** The publisher has other rights and publishes anew: the wall shows that and no more. */
  async republish(): Promise<void> {
    const { desk, known, dice } = this.#setting;
    const { publisher, role: id, board, id: screen } = this.#wall;
    const granted = grantsToPublish(dice);
    const grants = { "*": null, incidents: null, people: null, ...granted };
    await desk.boss.call("PATCH", `/roles/${id}`, { grants });
    const role = { id, name: "Publisher", rights: ["wallboards"], grants: granted } as Role;
    const attributes = publisherAttributes;
    const path = `/wallboards/${board}`;
    await desk.boss.call("PATCH", `${path}?overwrite=true`, { tiles: [] });
    const scope = scopeOf({ id: screen, role, attributes }, this.#incidents());
    const tiles = this.#tiles.filter((tile) =>
      tileNeeds(tileSchema.parse(tile) as DataTile, desk.boss.model).fields.every((field) =>
        scope?.fields.includes(field),
      ),
    );
    await publisher.call("PATCH", `${path}?overwrite=true`, { tiles });
    known.expects(screen, role, attributes);
    const { version } = await publisher.call<WallboardInfo>("POST", `${path}/publish`, {});
    await this.#swaps(version);
    known.begins(screen);
  }

  /** The wall shows what was published before until it has the new figures; from then on no more of it. */
  async #swaps(version: number): Promise<void> {
    const { screen, board } = this.#wall;
    await until(`the wall shows version ${version}`, SWAPPED_WITHIN_MS, () => {
      const shown = screen.frames.get(board)?.version;
      return shown === undefined || shown >= version;
    });
  }

  close(): void {
    this.#wall.screen.close();
  }

  async #hangWall(): Promise<void> {
    const { desk, tapOf } = this.#setting;
    const { boss, server } = desk;
    const call = { name: "Publisher", rights: ["wallboards"], grants: {} };
    const { id: role } = await boss.call<{ id: string }>("POST", "/roles", call);
    const publisher = await addPerson(server.url, boss, "Publisher", role);
    const itsGroup = { attributes: publisherAttributes };
    await boss.call("PATCH", `/users/${publisher.info.id}`, itsGroup);
    const empty = { name: "Wall", tiles: [] };
    const { id: board } = await boss.call<WallboardInfo>("POST", "/wallboards", empty);
    const { id, token } = await pairScreen(server.url, boss, [board]);
    const screen = new TappedLine({ url: server.url, token, as: "display" }, tapOf(id));
    this.#wall = { publisher, role, board, screen, id };
    await this.republish();
    await screen.open();
    await screen.show(board);
  }

  #incidents(): Table {
    return findTable(this.#setting.desk.boss.model, "incidents") as Table;
  }
}

function grantsToPublish(dice: Dice): Role["grants"] {
  for (;;) {
    const grants = randomGrants(dice);
    if (grants.incidents) return grants;
  }
}

/**
 * Tiles of every kind, on every field that holds canaries. Titles and filters hold canaries too: who
 * may not read the field that a tile needs is not told what the tile says of it.
 */
function boardTiles(known: Knowledge): TileInput[] {
  const table = "incidents";
  const layout = { x: 0, y: 0, w: 1, h: 1 };
  const base = { table, layout };
  const word = (field: string) => known.mint("boss", { table, field });
  const ofField = canaryFields.flatMap((group): TileInput[] => [
    { ...base, id: `by-${group}`, kind: "breakdown", group, title: word(group), limit: 40 },
    { ...base, id: `lights-${group}`, kind: "lights", group, limit: 40 },
    { ...base, id: `many-${group}`, kind: "number", measure: { op: "distinct", field: group } },
    {
      ...{ ...base, id: `not-${group}`, kind: "number", title: word(group) },
      filter: { field: group, op: "ne", value: word(group) },
    },
    { ...base, id: `top-${group}`, kind: "queue", fields: [group, "caller"], order: `-${group}` },
  ]);
  return [
    { ...base, id: "all", kind: "number" },
    { ...base, id: "callers", kind: "breakdown", group: "caller", limit: 40 },
    { ...base, id: "news", kind: "activity", fields: ["number", "title", "notes"], people: true },
    { ...base, id: "told", kind: "activity", fields: ["location", "caller"], limit: 30 },
    {
      ...{ ...base, id: "share", kind: "progress", title: word("notes") },
      of: { filter: { field: "notes", op: "startsWith", value: "cnry" } },
    },
    ...ofField,
  ];
}
