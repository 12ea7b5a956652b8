import { expect } from "vitest";
import type { Json } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import { HOME_WALLBOARD, homePartOf } from "../../shared/model/wallboard/home-wallboard.ts";
import type { FrameMessage } from "../../shared/protocol/frame.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { until } from "../harness/until.ts";
import { TappedLine } from "../rights/tapped-line.ts";
import { asWire, fieldOf } from "./crossing-model.ts";
import type { CrossingWorld, Worker } from "./crossing-world.ts";

const CATCH_UP_TIMEOUT_MS = 60_000;

/** The invariants after every step. Throws violations. */
export async function verifyWorld(world: CrossingWorld): Promise<void> {
  // First, so that nothing is under way while the other checks compare.
  await world.typist.verify();
  const stored = await world.stored();
  await checkHistory(world, stored);
  await checkValues(world, stored);
  await checkViews(world, stored);
  for (const worker of world.workers) await checkWorker(world, worker, stored);
}

/** History shrinks by age alone, and nothing here is old; a record's own history is all that the log holds of it. */
async function checkHistory(world: CrossingWorld, stored: ReadonlyMap<string, Values>) {
  const { rows } = await world.program.query("select count(*)::int as n from watchfloor.change");
  const logged = Number(rows[0]?.n);
  expect(logged).toBeGreaterThanOrEqual(world.logged);
  world.logged = logged;
  const table = await world.jobs();
  await checkActivity(world, table.name);
  const record = [...stored.keys()][logged % stored.size];
  if (record === undefined) return;
  const path = `/tables/${table.name}/records/${record}/history?limit=500`;
  const { items } = await world.ownerUser.call<{ items: object[] }>("GET", path);
  const own = await world.program.query(
    `select count(*)::int as n from watchfloor.change c join watchfloor.feed f on f.id = c.feed
     where f.table_name = $1 and c.record = $2`,
    [table.name, record],
  );
  expect(items.length).toBe(Number(own.rows[0]?.n));
}

/** Whoever reads all records with their history is shown the whole log of the table. */
async function checkActivity({ ownerUser, program }: CrossingWorld, table: string) {
  let items = 0;
  for (let next: string | null = ""; next !== null; ) {
    const before: string = next && `&before=${next}`;
    const page: { items: object[]; next: string | null } = await ownerUser.call(
      "GET",
      `/changes?table=${table}&limit=1000${before}`,
    );
    items += page.items.length;
    next = page.next;
  }
  const { rows } = await program.query(
    `select count(*)::int as n from watchfloor.change c join watchfloor.feed f on f.id = c.feed
     where f.table_name = $1`,
    [table],
  );
  expect(items).toBe(Number(rows[0]?.n));
}

/** The wallboard, the dashboard and a summary count and sum what is stored. */
async function checkValues(world: CrossingWorld, stored: ReadonlyMap<string, Values>) {
  const jobs = [...stored.values()];
  const sizes = jobs.flatMap(({ size }) => (size === null ? [] : Number(size)));
  const { countsAbove, ownerUser, server } = world;
  const byState = (state: string) => jobs.filter((job) => job.state === state).length;
  const states = ["Doing", "Done", "New"].flatMap((state) => {
    const value = byState(state);
    return value > 0 ? [[state, value]] : [];
  });
  const table = await world.jobs();
  const path = `/tables/${encodeURIComponent(table.name)}/summary?group=state`;
  const summary = await ownerUser.call<{ rows: Rows }>("GET", path);
  expect(statesOf(summary.rows)).toEqual(states);
  const due = {
    count: countsAbove === null ? jobs.length : sizes.filter((size) => size > countsAbove).length,
    sum: sizes.length > 0 ? sizes.reduce((a, b) => a + b) : null,
    states,
    open: byState("New") + byState("Doing"),
  };
  const line = new TappedLine({ url: server.url, token: ownerUser.token }, () => {});
  await line.open();
  const errors = [await line.show(world.wallboard), await line.show(HOME_WALLBOARD)];
  const shown = () => {
    const { count, sum, states } = tilesOf(line, world.wallboard);
    const home = tilesOf(line, HOME_WALLBOARD);
    const open = Object.keys(home).find((id) => homePartOf(id) === "open") ?? "";
    return JSON.stringify({
      count: count?.value,
      sum: asWire(sum?.value),
      states: statesOf(states?.rows ?? []),
      open: home[open]?.value,
    });
  };
  const right = JSON.stringify(due);
  await until("the wallboards are right", CATCH_UP_TIMEOUT_MS, () => shown() === right).catch(
    () => {
      throw new Error(
        `The wallboards show ${shown()}, stored is ${right}: ${JSON.stringify(errors)}`,
      );
    },
  );
  line.close();
}

type Rows = readonly { key: Json; value: Json }[];

function tilesOf(line: TappedLine, wallboard: string): FrameMessage["tiles"] {
  return line.frames.get(wallboard)?.tiles ?? {};
}

function statesOf(rows: Rows): [string, Json][] {
  return rows
    .map(({ key, value }): [string, Json] => [String(key), asWire(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A view follows renamed fields, and its filter selects what the reference selects. */
async function checkViews(world: CrossingWorld, stored: ReadonlyMap<string, Values>) {
  const table = await world.jobs();
  const { items } = await world.ownerUser.call<{ items: ViewInfo[] }>("GET", "/views");
  for (const [id, above] of world.views) {
    const filter = encodeURIComponent(JSON.stringify(items.find((one) => one.id === id)?.filter));
    const { records } = await world.ownerUser.page(table.name, `limit=1000&filter=${filter}`);
    const isAbove = ({ size }: Values) => size !== null && Number(size) > above;
    const due = [...stored].flatMap(([record, values]) => (isAbove(values) ? record : []));
    expect(records.map((record) => record.id).sort()).toEqual(due.sort());
  }
}

/** A worker reads exactly what the reference grants them: by a page, and by what their connection holds. */
async function checkWorker(
  world: CrossingWorld,
  { user, grant, followed }: Worker,
  stored: ReadonlyMap<string, Values>,
) {
  const table = await world.jobs();
  const fields = table.fields.filter(({ id }) => id !== "secret" || !grant.hidesSecret);
  const isVisible = ({ size }: Values) =>
    grant.sizeUpTo === null || (size !== null && Number(size) <= grant.sizeUpTo);
  const granted = Object.fromEntries(
    [...stored].flatMap(([id, values]) => {
      if (!isVisible(values)) return [];
      const shown = fields.map(({ id: field, name }) => [name, values[field ?? name] ?? null]);
      return [[id, Object.fromEntries(shown)]];
    }),
  );
  const page = await user.page(table.name, "limit=1000");
  const read = new Map(page.records.map(({ id, values }) => [id, values]));
  expect(plain(read)).toEqual(granted);
  const holds = () => JSON.stringify(sorted(plain(followed.records)));
  const due = JSON.stringify(sorted(granted));
  await until(
    "the connection holds what is granted",
    CATCH_UP_TIMEOUT_MS,
    () => holds() === due,
  ).catch(() => {
    throw new Error(`The connection holds ${holds()}\ngranted is ${due}`);
  });
  if (!grant.history && stored.size > 0) await verifyNoHistory(world, user.token);
  expect(fieldOf(table, "title").name).toBeTruthy();
}

async function verifyNoHistory(world: CrossingWorld, token: string): Promise<void> {
  const { name } = await world.jobs();
  const [record] = (await world.stored()).keys();
  const answer = await fetch(
    `${world.server.url}/api/v1/tables/${name}/records/${record}/history`,
    {
      headers: { authorization: `Bearer ${token}` },
    },
  );
  expect([403, 404]).toContain(answer.status);
  await answer.body?.cancel();
}

/** Records with numbers as the reference has them. */
function plain(records: ReadonlyMap<string, Values>): Record<string, Values> {
  const plainOf = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asWire(value)]));
  return Object.fromEntries([...records].map(([id, values]) => [id, plainOf(values)]));
}

function sorted(records: Record<string, unknown>): [string, unknown][] {
  return Object.entries(records)
    .map(([id, values]): [string, unknown] => [
      id,
      Object.entries(values as object).sort(([a], [b]) => (a < b ? -1 : 1)),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
