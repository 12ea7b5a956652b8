// Covers: client/src/tiles client/src/display server/tiles/plan
import { Client } from "pg";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import { visit } from "./testing/browser.ts";
import { hoursAround } from "./testing/dim-hours.ts";
import { openProduct, owner } from "./testing/product.ts";

/**
 * A ward's wall, built from an empty installation by the calls of the guides: nine kinds of tiles, two wallboards in rotation, on a
 * landscape and a portrait screen. Each number equals a count by SQL, after each change of the data and of the model.
 */
const { browser, product } = await openProduct({ environment: { WATCHFLOOR_TEMPLATE: "empty" } });

const field = (name: string, label: string, type: string, more: object = {}) => ({
  ...{ name, label, type },
  ...more,
});
const choice = (...values: string[]) => ({ options: values.map((value) => ({ value })) });
const table = (name: string, label: string, recordLabel: string, fields: { name: string }[]) => ({
  ...{ name, label, recordLabel, fields, display: fields[0]?.name },
  ...{ columns: fields.map((one) => one.name), sort: [] },
});
const model = {
  version: 1,
  tables: [
    table("beds", "Beds", "bed", [
      field("name", "Name", "text", { required: true }),
      field("bay", "Room", "select", choice("Isolation room north", "Room 2", "Room 3", "Room 4")),
      field("status", "Status", "select", choice("Free", "Taken", "Cleaning")),
      field("fever", "Fever", "decimal", { scale: 1 }),
    ]),
    table("tasks", "Tasks", "task", [
      field("title", "Title", "text", { required: true }),
      field("done", "Done", "boolean"),
      field("due", "Due", "timestamp"),
    ]),
  ],
};

const layout = (x: number, y: number, w: number, h: number) => ({ layout: { x, y, w, h } });
const free = { field: "status", op: "eq", value: "Free" };
const open = { field: "done", op: "ne", value: true };
const beds = { table: "beds" };
const tiles = [
  {
    ...{ id: "free", kind: "number", title: "Free beds", ...beds, filter: free },
    ...layout(0, 0, 3, 2),
    thresholds: [{ at: 1, below: true, word: "Full", colour: "red", flash: true }],
  },
  {
    id: "status",
    kind: "breakdown",
    title: "Beds",
    ...beds,
    group: "status",
    ...layout(3, 0, 4, 3),
  },
  {
    ...{ id: "waiting", kind: "queue", title: "To do", table: "tasks", filter: open },
    ...{ order: ["due"], fields: ["title"], ...layout(7, 0, 5, 4) },
  },
  {
    ...{ id: "fever", kind: "lights", title: "Highest fever", ...beds, group: "bay" },
    ...{ measure: { op: "max", field: "fever" }, ...layout(0, 2, 3, 4) },
    thresholds: [{ at: 39, word: "Call the doctor", colour: "red" }],
  },
  {
    ...{ id: "taken", kind: "progress", title: "Taken", ...beds, of: {} },
    ...{ filter: { field: "status", op: "eq", value: "Taken" }, ...layout(3, 3, 4, 3) },
  },
  {
    ...{ id: "day", kind: "trend", title: "Tasks by day", table: "tasks" },
    ...{ time: { field: "due", bucket: "day", count: 5 }, ...layout(7, 4, 5, 2) },
  },
  { id: "latest", kind: "activity", title: "News", ...beds, people: true, ...layout(0, 6, 5, 2) },
  { id: "clock", kind: "clock", title: "Ward", date: true, ...layout(5, 6, 2, 1) },
  {
    ...{ id: "text", kind: "text", title: "Visitors", ...layout(7, 6, 5, 2) },
    text: "Visitors are welcome until 18:00.\nPlease wash your hands.\nMasks in the isolation room.\nThank you all.",
  },
];

let user: TestUser;
let database: Client;
const screens: { page: Page; leave(): Promise<void> }[] = [];
let wallboard = "";
let second = "";

beforeAll(async () => {
  user = await signIn(product.url, owner);
  database = new Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
});

/** What the model calls by another name in the database, too: a renamed field keeps its column. */
const names = { free: "Free", tasks: "tasks" };

const rowsOf = async (sql: string) => (await database.query(sql)).rows;
const count = async (sql: string) => Number((await rowsOf(sql))[0]?.n);
const tileOf = (page: Page, id: string) => page.locator(`[data-tile="${id}"]`);
const linesOf = async (page: Page, id: string) =>
  (await tileOf(page, id).locator("li:visible").allInnerTexts()).map((line) =>
    line.replace(/\s+/g, " ").trim(),
  );

/** What the tiles of beds have to show, by SQL. */
async function bedsInDatabase() {
  const counted = `select count(*) as n from beds`;
  const statuses = await rowsOf(
    `select coalesce(status, 'No status') as label, count(*) as n from beds group by 1`,
  );
  const fevers = await rowsOf(
    `select bay as label, max(fever)::float8 as highest from beds group by 1`,
  );
  const [latest] = await rowsOf(`select b.name from watchfloor.change c
    join watchfloor.feed f on f.id = c.feed and f.table_name = 'beds'
    join beds b on b.id = c.record order by c.tx desc, c.ord desc limit 1`);
  return {
    free: await count(`${counted} where status = '${names.free}'`),
    taken: await count(`${counted} where status = 'Taken'`),
    all: await count(counted),
    statuses: statuses.map(({ label, n }) => `${label} ${n}`).toSorted(),
    fevers: new Map(fevers.map(({ label, highest }) => [String(label), highest])),
    latest: String(latest?.name),
  };
}

/** What the tiles of tasks have to show, by SQL. */
async function tasksInDatabase() {
  const day = `(due at time zone 'UTC')::date`;
  const ofDay = (ago: number) =>
    count(
      `select count(*) as n from ${names.tasks} where ${day} = (now() at time zone 'UTC')::date - ${ago}`,
    );
  const toDo = await rowsOf(`select title from ${names.tasks} where done is not true order by due`);
  return {
    toDo: toDo.map(({ title }) => String(title)),
    first: await ofDay(4),
    last: await ofDay(0),
  };
}

/** Waits until every screen shows what the database holds in each of its tiles. */
async function agrees(): Promise<void> {
  const expected = await bedsInDatabase();
  const { free, taken, all } = expected;
  for (const { page } of screens) {
    await expect
      .poll(() => tileOf(page, "free").locator("[style*='--chars']").textContent())
      .toBe(String(free));
    await expect
      .poll(() => tileOf(page, "taken").textContent())
      .toContain(`${Math.min(Math.round((taken / all) * 100), taken < all ? 99 : 100)}%`);
    await expect.poll(() => tileOf(page, "taken").textContent()).toContain(`${taken} of ${all}`);
    await expect
      .poll(async () =>
        (await linesOf(page, "status")).filter((line) => !/ 0$/.test(line)).toSorted(),
      )
      .toEqual(expected.statuses);
    for (const [place, highest] of expected.fevers) {
      const light = tileOf(page, "fever").locator("li").filter({ hasText: place });
      const isIll = highest !== null && highest >= 39;
      await expect.poll(async () => Number(await light.locator("b").textContent())).toBe(highest);
      await expect.poll(() => light.getAttribute("data-colour")).toBe(isIll ? "red" : "green");
    }
    await expect.poll(async () => (await linesOf(page, "latest"))[0]).toContain(expected.latest);
    await expect.poll(() => tileOf(page, "clock").innerText()).toMatch(/\d\d:\d\d/);
    await expect.poll(() => tileOf(page, "text").innerText()).toContain("Thank you all.");
    await tasksAgree(page);
  }
}

async function tasksAgree(page: Page): Promise<void> {
  const { toDo, first, last } = await tasksInDatabase();
  const header = tileOf(page, "waiting").locator("header");
  await expect
    .poll(async () => {
      const shown = await linesOf(page, "waiting");
      const more = /\+(\d+)/.exec((await header.textContent()) ?? "")?.[1];
      const isWhole = shown.length >= Math.min(2, toDo.length);
      return isWhole && [...shown, ...toDo.slice(shown.length)].join() === toDo.join()
        ? shown.length + Number(more ?? 0)
        : shown;
    })
    .toBe(toDo.length);
  const days = tileOf(page, "day").locator("figcaption");
  await expect.poll(() => days.textContent()).toMatch(new RegExp(`: ${first} at .*, ${last} +now`));
}

const publish = async (edit: (next: Model) => void) => {
  const { document } = await user.call<{ document: Model }>("GET", "/model/versions/current");
  edit(document);
  return user.call("PUT", "/model?confirm=lossy", document);
};
/** Changes a field of a table, and how the rest of the table calls it. */
const change = (next: Model, at: number, former: string, properties: object) => {
  const changed = next.tables[at];
  const found = changed?.fields.find(({ name }) => name === former);
  if (!changed || !found) throw new Error(`No field ${former}.`);
  Object.assign(found, properties);
  const columns = changed.columns.map((name) => (name === former ? found.name : name));
  Object.assign(changed, { columns });
};

it("shows what the database holds, on a landscape and a portrait screen", async () => {
  await user.call("PUT", "/model", model);
  const rooms = ["Isolation room north", "Room 2", "Room 3"];
  for (let n = 0; n < 9; n += 1) {
    const status = ["Free", "Taken", "Taken"][n % 3];
    const values = { name: `Bed ${n}`, bay: rooms[n % 3], status, fever: n === 0 ? 39.5 : 37 };
    await user.call("POST", "/tables/beds/records", {
      values: n === 8 ? { ...values, fever: null } : values,
    });
  }
  for (let n = 0; n < 8; n += 1) {
    const due = new Date(Date.now() - n * 40_000_000).toISOString();
    await user.call("POST", "/tables/tasks/records", {
      values: { title: `Task ${n}`, due, done: false },
    });
  }
  wallboard = (await user.call<{ id: string }>("POST", "/wallboards", { name: "Ward 3", tiles }))
    .id;
  const light = { name: "Quiet", theme: "light", tiles: tiles.filter(({ id }) => id !== "free") };
  second = (await user.call<{ id: string }>("POST", "/wallboards", light)).id;
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
  ] as const) {
    const { token } = await pairDisplay(product.url, user, [wallboard]);
    const screen = await visit(browser, { viewport: { width, height } });
    const cookie = { name: "watchfloor_display", value: token, url: product.url };
    await screen.page.context().addCookies([cookie]);
    await screen.page.goto(`${product.url}/display`);
    screens.push(screen);
  }
  await agrees();
  for (const { page } of screens) {
    const fever = tileOf(page, "fever").locator("li");
    await fever
      .filter({ hasText: "Isolation room north" })
      .and(page.locator('[data-colour="red"]'))
      .waitFor();
    // Nothing was measured there.
    await fever.filter({ hasText: "Room 4" }).and(page.locator('[data-colour="none"]')).waitFor();
    const name = fever.filter({ hasText: "Isolation room north" }).locator('span[dir="auto"]');
    await expect.poll(() => name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  }
});

it("has a clock in one row whose time is read from afar, without its date", async () => {
  const [{ page } = expect.unreachable()] = screens;
  const clock = tileOf(page, "clock");
  const size = () =>
    clock
      .locator("[style*='--chars']")
      .evaluate((it) => Number.parseFloat(getComputedStyle(it).fontSize));
  await expect.poll(size).toBeGreaterThan(40);
  await expect.poll(() => clock.locator("p").isVisible()).toBe(false);
});

it("shows what another program writes", async () => {
  await database.query("update beds set status = 'Taken' where name in ('Bed 0', 'Bed 3')");
  await database.query("update tasks set done = true where title in ('Task 1', 'Task 2')");
  await agrees();
  await database.query("update beds set status = 'Taken' where status = 'Free'");
  await agrees();
  for (const { page } of screens) await tileOf(page, "free").getByText("Full").waitFor();
  await database.query("update beds set status = 'Free' where name = 'Bed 6'");
  await agrees();
});

it.each<[string, (next: Model) => void, Partial<typeof names>?]>([
  [
    "a renamed field of options",
    (next) => change(next, 0, "status", { name: "state", label: "State" }),
  ],
  [
    "a replaced option",
    (next) =>
      change(next, 0, "state", {
        options: [
          { value: "Vacant", formerly: ["Free"] },
          { value: "Taken" },
          { value: "Cleaning" },
        ],
      }),
    { free: "Vacant" },
  ],
  [
    "a renamed table",
    (next) => Object.assign(next.tables[1] ?? {}, { name: "duties", label: "Duties" }),
    { tasks: "duties" },
  ],
  [
    "renamed fields of a filter, an order and a time",
    (next) => {
      change(next, 1, "done", { name: "finished", label: "Finished" });
      change(next, 1, "due", { name: "deadline", label: "Deadline" });
    },
  ],
  [
    "more decimals of a measure, and a renamed field of groups",
    (next) => {
      change(next, 0, "fever", { name: "temperature", label: "Temperature", scale: 2 });
      change(next, 0, "bay", { name: "place", label: "Place" });
    },
  ],
])("agrees after %s, and after a change of the data behind it", async (_, edit, renamed = {}) => {
  await publish(edit);
  Object.assign(names, renamed);
  await agrees();
  await database.query(`update beds set status = '${names.free}', fever = fever + 0.5
    where name = (select min(name) from beds where status = 'Taken' and bay = 'Room 2')`);
  await database.query(`update ${names.tasks} set due = now() - interval '4 days'
    where title = (select max(title) from ${names.tasks} where done is not true)`);
  await agrees();
});

it("shows no number of an option that was removed", async () => {
  await publish((next) => change(next, 0, "state", { options: [{ value: "Taken" }] }));
  for (const { page } of screens) {
    const tile = tileOf(page, "free");
    await tile.getByText("Model changed").waitFor();
    await expect.poll(() => tile.locator("[style*='--chars']").count()).toBe(0);
    await expect.poll(() => tile.getAttribute("data-colour")).toBeNull();
    await tasksAgree(page);
  }
});

it("brings up an alert of a wallboard that is not up", async () => {
  const alerts = [{ at: 1, word: "Now", colour: "red", flash: true }];
  const dirty = { id: "late", kind: "number", title: "Late", table: "duties", thresholds: alerts };
  const filter = { field: "title", op: "eq", value: "Emergency" };
  const call = { name: "Alarms", tiles: [{ ...dirty, filter, ...layout(0, 0, 12, 8) }] };
  const { id } = await user.call<{ id: string }>("POST", "/wallboards", call);
  const { token, id: display } = await pairDisplay(product.url, user, [second, id]);
  const dim = hoursAround();
  await user.call("PATCH", `/displays/${display}`, { rotationSeconds: 3_600, dim });
  const { page, leave } = await visit(browser, { viewport: { width: 1920, height: 1080 } });
  const cookie = { name: "watchfloor_display", value: token, url: product.url };
  await page.context().addCookies([cookie]);
  await page.goto(`${product.url}/display`);
  await tileOf(page, "status").waitFor();
  await page.locator("main[data-dim]").waitFor();
  await user.call("POST", "/tables/duties/records", { values: { title: "Emergency" } });
  const began = performance.now();
  await tileOf(page, "late").getByText("Now").waitFor();
  process.stdout.write(`alert seen after ${Math.round(performance.now() - began)} ms\n`);
  await page.locator("main:not([data-dim])").waitFor();
  await leave();
  for (const screen of screens) await screen.leave();
});
