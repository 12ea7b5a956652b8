import type { Table } from "../../shared/model/model.ts";
import { findTable } from "../../shared/model/model.ts";
import { type DataTile, type TileInput, tileSchema } from "../../shared/model/wallboard/tile.ts";
import { tileNeeds } from "../../shared/model/wallboard/tile-needs.ts";
import type { Role } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { WallboardInfo } from "../../shared/protocol/wallboards.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, randomGrants } from "./random-role.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";
import type { Watcher } from "./watcher.ts";

interface Setting {
  installation: TestInstallation;
  knowledge: Knowledge;
  random: SeededRandom;
  /** Creates the tap for the user with this id. */
  tapOf: (id: string) => Tap;
}

const SWAPPED_WITHIN_MS = 60_000;
const publisherAttributes = { group: groups[0] ?? "" };

/**
 * Wallboards over the canaries: one that everybody looks at in their own scope, and one on a screen on
 * the wall, which shows what its publisher could read when they published it.
 */
export class CanaryWallboards {
  /** The wallboard that everybody looks at. */
  readonly wallboard: string;
  readonly #setting: Setting;
  readonly #tiles: readonly TileInput[];
  #display!: {
    publisher: TestUser;
    role: string;
    wallboard: string;
    screen: TappedLine;
    id: string;
  };

  private constructor(setting: Setting, wallboard: string, tiles: readonly TileInput[]) {
    this.#setting = setting;
    this.wallboard = wallboard;
    this.#tiles = tiles;
  }

  static async open(setting: Setting): Promise<CanaryWallboards> {
    const { ownerUser } = setting.installation;
    const tiles = wallboardTiles(setting.knowledge);
    const { id } = await ownerUser.call<WallboardInfo>("POST", "/wallboards", {
      name: "Watch",
      tiles,
    });
    const wallboards = new CanaryWallboards(setting, id, tiles);
    await wallboards.#pairDisplay();
    return wallboards;
  }

  async follow({ tapped }: Watcher): Promise<void> {
    await tapped.show(this.wallboard);
    await tapped.show("home");
    await tapped.show("tables");
  }

  /** Calls about wallboards; the refusal of a change shows conflicts. */
  async requestAll({ tapped }: Watcher): Promise<void> {
    const { random } = this.#setting;
    const tile = random.pick(this.#tiles);
    const base = { tiles: { [tile.id]: { title: "never", filter: null, measure: null } } };
    await tapped.rest("PATCH", `/wallboards/${this.wallboard}`, { theme: "dark", base: base });
    await tapped.rest("GET", random.next() < 0.5 ? "/wallboards" : `/wallboards/${this.wallboard}`);
  }

  /** The publisher has other rights and publishes again: the display shows that and no more. */
  async republish(): Promise<void> {
    const { installation, knowledge, random } = this.#setting;
    const { publisher, role: id, wallboard, id: screen } = this.#display;
    const granted = grantsToPublish(random);
    const grants = { "*": null, incidents: null, people: null, ...granted };
    await installation.ownerUser.call("PATCH", `/roles/${id}`, { grants });
    const role = { id, name: "Publisher", rights: ["wallboards"], grants: granted } as Role;
    const attributes = publisherAttributes;
    const path = `/wallboards/${wallboard}`;
    await installation.ownerUser.call("PATCH", `${path}?overwrite=true`, { tiles: [] });
    const scope = scopeOf({ id: screen, role, attributes }, this.#incidents());
    const mayPublish = (tile: TileInput) =>
      (tile.kind !== "activity" || granted.incidents?.history === true) &&
      tileNeeds(tileSchema.parse(tile) as DataTile, installation.ownerUser.model).fields.every(
        (field) => scope?.fields.includes(field),
      );
    const tiles = this.#tiles.filter(mayPublish);
    await publisher.call("PATCH", `${path}?overwrite=true`, { tiles });
    knowledge.expectRights(screen, role, attributes);
    const { version } = await publisher.call<WallboardInfo>("POST", `${path}/publish`, {});
    await this.#swaps(version);
    knowledge.applyRights(screen);
  }

  /** The display shows the previous version until it has the new values; from then on no more of it. */
  async #swaps(version: number): Promise<void> {
    const { screen, wallboard } = this.#display;
    await until(`the wall shows version ${version}`, SWAPPED_WITHIN_MS, () => {
      const shown = screen.frames.get(wallboard)?.version;
      return shown === undefined || shown >= version;
    });
  }

  close(): void {
    this.#display.screen.close();
  }

  async #pairDisplay(): Promise<void> {
    const { installation, tapOf } = this.#setting;
    const { ownerUser, server } = installation;
    const call = { name: "Publisher", rights: ["wallboards"], grants: {} };
    const { id: role } = await ownerUser.call<{ id: string }>("POST", "/roles", call);
    const publisher = await addUser(server.url, ownerUser, "Publisher", role);
    const itsGroup = { attributes: publisherAttributes };
    await ownerUser.call("PATCH", `/users/${publisher.info.id}`, itsGroup);
    const empty = { name: "Wall", tiles: [] };
    const { id: wallboard } = await ownerUser.call<WallboardInfo>("POST", "/wallboards", empty);
    const { id, token } = await pairDisplay(server.url, ownerUser, [wallboard]);
    const screen = new TappedLine({ url: server.url, token, as: "display" }, tapOf(id));
    this.#display = { publisher, role, wallboard, screen, id };
    await this.republish();
    await screen.open();
    await screen.show(wallboard);
  }

  #incidents(): Table {
    return findTable(this.#setting.installation.ownerUser.model, "incidents") as Table;
  }
}

function grantsToPublish(random: SeededRandom): Role["grants"] {
  for (;;) {
    const grants = randomGrants(random);
    if (grants.incidents) return grants;
  }
}

/**
 * Tiles of every kind, on every field that holds canaries. Titles and filters hold canaries too: users who
 * may not read the field that a tile needs must not receive the tile's texts.
 */
function wallboardTiles(knowledge: Knowledge): TileInput[] {
  const table = "incidents";
  const layout = { x: 0, y: 0, w: 1, h: 1 };
  const base = { table, layout };
  const canary = (field: string) => knowledge.createCanary("boss", { table, field });
  const ofField = canaryFields.flatMap((group): TileInput[] => [
    { ...base, id: `by-${group}`, kind: "breakdown", group, title: canary(group), limit: 40 },
    { ...base, id: `lights-${group}`, kind: "lights", group, limit: 40 },
    { ...base, id: `many-${group}`, kind: "number", measure: { op: "distinct", field: group } },
    {
      ...{ ...base, id: `not-${group}`, kind: "number", title: canary(group) },
      filter: { field: group, op: "ne", value: canary(group) },
    },
    { ...base, id: `top-${group}`, kind: "queue", fields: [group, "caller"], order: `-${group}` },
  ]);
  return [
    { ...base, id: "all", kind: "number" },
    { ...base, id: "callers", kind: "breakdown", group: "caller", limit: 40 },
    { ...base, id: "news", kind: "activity", fields: ["number", "title", "notes"], people: true },
    { ...base, id: "activity", kind: "activity", fields: ["location", "caller"], limit: 30 },
    {
      ...{ ...base, id: "share", kind: "progress", title: canary("notes") },
      of: { filter: { field: "notes", op: "startsWith", value: "cnry" } },
    },
    ...ofField,
  ];
}
