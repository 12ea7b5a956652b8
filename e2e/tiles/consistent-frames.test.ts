import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { FrameMessage, TileFrame } from "../../shared/protocol/frame.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { WallboardClient } from "./wallboard-client.ts";

/**
 * Programs write without pause, each transaction so that the parts still add up: then they must add up in
 * every single frame, whether a value is updated from changes, read again, or changed by the clock.
 */
const WRITERS = 3;
const FRAMES = 15;
/** The total of all records of these writers, whatever they transfer. */
const TOTAL = WRITERS * 100;
const layout = { x: 0, y: 0, w: 3, h: 2 };
const ours = { field: "category", op: "eq", value: "one instant" };
const source = { table: "incidents", filter: ours, layout };
const late = { and: [ours, { field: "due_at", op: "lt", value: "$now" }] };
const today = { and: [ours, { field: "opened_at", op: "lt", value: "$today" }] };

const tiles = [
  { ...source, id: "all", kind: "number" },
  { ...source, id: "groups", kind: "breakdown", group: "group", limit: 20 },
  { ...source, id: "passed", kind: "number", measure: { op: "sum", field: "reassignments" } },
  { ...source, id: "titles", kind: "number", measure: { op: "distinct", field: "title" } },
  { ...source, id: "late", kind: "number", filter: late },
  { ...source, id: "past", kind: "number", filter: today },
  { ...source, id: "share", kind: "progress", filter: late, of: { filter: ours } },
  {
    ...source,
    id: "days",
    kind: "trend",
    time: { field: "opened_at", bucket: "day", count: 7 },
  },
];

let installation: TestInstallation;
beforeAll(async () => {
  installation = await TestInstallation.openInProcess({
    environment: { TILES_VERIFY_INTERVAL_MS: "200" },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

/** Inserts one record, deletes one, changes the group of another and transfers an amount: at once. */
async function write(program: pg.Client, writer: number, turn: number): Promise<void> {
  const group = ["Network", "Service Desk", null][turn % 3];
  await program.query("begin");
  await program.query(
    `insert into incidents (id, title, category, opened_at, due_at, "group", reassignments)
     values ($1, $1, 'one instant', now() - interval '30 hours', now() - interval '1 hour', $2, 0)`,
    [`${writer} new ${turn}`, group],
  );
  await program.query(
    `update incidents set "group" = $2, reassignments = reassignments - 1 where id = $1`,
    [`${writer} a`, group],
  );
  await program.query("update incidents set reassignments = reassignments + 1 where id = $1", [
    `${writer} b`,
  ]);
  if (turn % 4 > 0) {
    await program.query("delete from incidents where id = $1", [`${writer} new ${turn - 1}`]);
  }
  await program.query("commit");
}

/** Whether a tile claims to be of the frame's instant: one that can't keep up names its own. */
function isCurrent(tile: TileFrame | undefined): boolean {
  return tile?.state === "ok" && tile.asOf === undefined;
}

function expectConsistent({ tiles: shown }: FrameMessage): void {
  const { titles, ...others } = shown;
  const { all, groups, passed, late: overdue, past: pastTile, share, days } = others;
  if (!all || !Object.values(others).every(isCurrent)) return;
  const count = Number(all.value);
  const sum = (values: unknown[]) => values.reduce<number>((total, one) => total + Number(one), 0);
  expect(sum(groups?.rows?.map(({ value }) => value) ?? [])).toBe(count);
  expect(sum(days?.series?.[0]?.points.map(({ value }) => value) ?? [])).toBe(count);
  const values = [passed, overdue, pastTile, share].map((tile) => tile?.value);
  expect(values).toEqual([TOTAL, count, count, count]);
  expect(share?.target).toBe(count);
  if (isCurrent(titles)) expect(titles?.value).toBe(count);
}

async function tileValue(name: string): Promise<number> {
  const text = await (await fetch(`${installation.server.url}/metrics`)).text();
  return Number(new RegExp(`^watchfloor_tile_${name}_total (\\S+)$`, "m").exec(text)?.[1]);
}

it("T1 all values of a wallboard are of one instant, in each frame, however much is written", async () => {
  const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/wallboards", {
    name: "B",
    tiles,
  });
  const programs = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const program = new pg.Client({ connectionString: installation.databaseUrl });
      await program.connect();
      return program;
    }),
  );
  const first = Array.from({ length: WRITERS }, (_, writer) => [`${writer} a`, `${writer} b`]);
  await installation.program.query(
    `insert into incidents (id, title, category, opened_at, due_at, reassignments)
     select id, id, 'one instant', now() - interval '30 hours', now() - interval '1 hour', 50
     from unnest($1::text[]) id`,
    [first.flat()],
  );
  using screen = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
  await screen.show(id);
  await Promise.all(
    programs.map(async (program, writer) => {
      for (let turn = 0; screen.frames.length < FRAMES; turn += 1) {
        await write(program, writer, turn);
      }
      await program.end();
    }),
  );
  const text = "select count(*)::int as count from incidents where category = 'one instant'";
  const { count } = (await installation.program.query(text)).rows[0];
  await vi.waitFor(
    () => {
      expect(screen.tile("all")?.value).toBe(count);
      expect(screen.tile("titles")?.value).toBe(count);
      expect(Object.values(screen.frames.at(-1)?.tiles ?? {}).every(isCurrent)).toBe(true);
    },
    { timeout: 30_000, interval: 50 },
  );
  for (const frame of screen.frames) expectConsistent(frame);
  await vi.waitFor(async () => expect(await tileValue("verified")).toBeGreaterThan(tiles.length), {
    timeout: 30_000,
    interval: 100,
  });
  expect(await tileValue("mismatches")).toBe(0);
});
