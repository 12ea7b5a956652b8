import { TestInstallation } from "../harness/test-installation.ts";
import type { TestUser } from "../harness/test-user.ts";

const layout = { x: 0, y: 0, w: 3, h: 2 };
export const incidents = { table: "incidents", layout };
export const open = { field: "state", op: "nin", value: ["Resolved", "Closed"] };
export const within = { timeout: 60_000, interval: 20 };
export const count = { op: "count" };

/** A service desk whose tiles are proven and compared often, for their tests. */
export class TileInstallation {
  readonly installation: TestInstallation;
  #wallboards = 0;

  private constructor(installation: TestInstallation) {
    this.installation = installation;
  }

  static async open(): Promise<TileInstallation> {
    const environment = {
      TILES_PROVEN_INTERVAL_MS: "500",
      TILES_VERIFY_INTERVAL_MS: "1000",
      // a tile that a busy machine could not query in time has no value
      TILE_QUERY_TIMEOUT_MS: "60000",
    };
    return new TileInstallation(await TestInstallation.openInProcess({ environment }));
  }

  async newWallboard(
    tiles: readonly object[],
    by: TestUser = this.installation.ownerUser,
  ): Promise<string> {
    this.#wallboards += 1;
    const call = { name: `Wallboard ${this.#wallboards}`, tiles };
    return (await by.call<{ id: string }>("POST", "/wallboards", call)).id;
  }

  async newIncident(values: object = {}): Promise<string> {
    const call = { values: { title: "made", ...values } };
    const path = "/tables/incidents/records";
    return (await this.installation.ownerUser.call<{ id: string }>("POST", path, call)).id;
  }

  /** What a fresh query returns, group by group. */
  async summary(query: string): Promise<{ key: unknown; label: string; value: unknown }[]> {
    const path = `/tables/incidents/summary?${query}`;
    return (await this.installation.ownerUser.call<{ rows: [] }>("GET", path)).rows;
  }

  /** One value of `/metrics`. */
  async tileValue(name: string): Promise<number> {
    const [value = Number.NaN] = await this.tileValues(name);
    return value;
  }

  /** Values of `/metrics` at one moment. */
  async tileValues(...names: string[]): Promise<number[]> {
    const text = await (await fetch(`${this.installation.server.url}/metrics`)).text();
    return names.map((name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.installation[Symbol.asyncDispose]();
  }
}

/** A tile of each kind and of each measure. */
export const everyKind = [
  { ...incidents, id: "open", kind: "number", filter: open, measure: count },
  {
    ...incidents,
    id: "moved",
    kind: "number",
    measure: { op: "avg", field: "reassignments" },
    trend: { field: "opened_at", bucket: "day", count: 7 },
  },
  { ...incidents, id: "states", kind: "breakdown", group: "state", limit: 20 },
  {
    ...incidents,
    id: "opened",
    kind: "trend",
    time: { field: "opened_at", bucket: "day", count: 60 },
    group: "priority",
  },
  {
    ...incidents,
    id: "next",
    kind: "queue",
    order: "-number",
    fields: ["number", "group"],
    limit: 3,
  },
  {
    ...incidents,
    id: "groups",
    kind: "lights",
    group: "group",
    filter: open,
    thresholds: [{ at: 1, word: "Busy", colour: "red" }],
  },
  { ...incidents, id: "done", kind: "progress", filter: open, of: {} },
  { ...incidents, id: "latest", kind: "activity", limit: 5, people: true },
  { ...incidents, id: "most", kind: "number", measure: { op: "max", field: "reassignments" } },
  {
    ...incidents,
    id: "half",
    kind: "number",
    measure: { op: "percentile", field: "reassignments", percentile: 50 },
  },
  { ...incidents, id: "callers", kind: "number", measure: { op: "distinct", field: "caller" } },
  { id: "now", kind: "clock", layout },
  { id: "hello", kind: "text", layout, text: "Hello" },
];
