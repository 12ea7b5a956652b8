// Covers: client/src/features/dashboard client/src/tiles
import { Client } from "pg";
import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { zoneOf } from "../../shared/model/model.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import { systemOverTcp } from "../provision/databases.ts";
import { leaveBrowser, openBrowser } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";

/**
 * Dashboard, sidebar, designer and display show values of the same records: each number equals that of SQL,
 * and each screen marks unconfirmed values in the same way.
 */
const WALLBOARD = "service-desk";
const ZONE = "Europe/Berlin";
const OPEN = `state not in ('Resolved', 'Closed')`;

const opened = new AsyncDisposableStack();
let browser: Browser;
let server: ServerProcess;
let sql: Client;
let ownerUser: TestUser;
let http: LineProxy;
let postgres: LineProxy;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = opened.adopt(await openBrowser(), leaveBrowser);
  const database = opened.adopt(await createInstalled(systemOverTcp), (it) => it.drop());
  postgres = opened.use(await LineProxy.start(Number(new URL(database.url).port)));
  const url = new URL(database.url);
  url.port = new URL(postgres.url).port;
  server = opened.use(await ServerProcess.start({ environment: { DATABASE_URL: url.href } }));
  http = opened.use(await LineProxy.start(server.port));
  sql = opened.adopt(new Client(database.url), (client) => client.end());
  await sql.connect();
  ownerUser = await signIn(server.url, owner);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: ZONE });
  page = await context.newPage();
  await page.request.post(`${http.url}/api/v1/session`, {
    data: owner,
    headers: { origin: http.url },
  });
});
afterAll(() => opened.disposeAsync());

async function count(condition: string, table = "incidents"): Promise<number> {
  const { rows } = await sql.query(`select count(*)::int as n from "${table}" where ${condition}`);
  return rows[0].n;
}

/** What a number compared by days shows: today so far, and yesterday up to this time. */
async function daysOf(field: string, zone: string) {
  const midnight = `date_trunc('day', now(), '${zone}')`;
  const yesterday = `date_trunc('day', now() at time zone '${zone}' - interval '1 day') at time zone '${zone}'`;
  return {
    today: await count(`${field} >= ${midnight}`),
    before: await count(
      `${field} >= ${yesterday} and ${field} < least(${midnight}, now() - interval '1 day')`,
    ),
  };
}

const bySql = async (rows: string) =>
  (await sql.query(rows)).rows as { label: string; n: number }[];

/** The visible text of a tile, its parts separated by spaces. */
const textOf = (at: Page, selector: string) =>
  at.locator(selector).evaluate((tile) => {
    const crawler = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
    const parts: string[] = [];
    while (crawler.nextNode()) parts.push(crawler.currentNode.textContent?.trim() ?? "");
    return parts.filter(Boolean).join(" ");
  });

const shows = (at: Page, selector: string, text: () => Promise<string>) =>
  expect
    .poll(async () => [await textOf(at, selector), await text()])
    .toSatisfy(([shown, expected]: string[]) => shown === expected);

const compared = async (
  title: string,
  field: string,
  zone: string,
  words = (difference: number) => comparedWith(difference, "this time yesterday", "as"),
) => {
  const { today, before } = await daysOf(field, zone);
  return `${title} ${today} ${words(today - before)}`;
};

/** "▲ +3 vs yesterday at this time", as tiles of a wall say it. */
const onWall = (difference: number) => {
  const arrow = difference === 0 ? "" : difference > 0 ? "▲ " : "▼ ";
  const signed = difference === 0 ? "±0" : difference > 0 ? `+${difference}` : `−${-difference}`;
  return `${arrow}${signed} vs yesterday at this time`;
};

/** "3 more than at midnight", as the cards of the dashboard say it. */
const comparedWith = (difference: number, then: string, same = "as at") => {
  if (difference === 0) return `as many ${same} ${then.replace(/^at /, "")}`;
  return `${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"} than ${then}`;
};

it("shows on the dashboard and in the sidebar what SQL counts", async () => {
  await page.goto(http.url);
  await page.locator('[data-card="incidents-open"]').waitFor();
  const card = (part: string) => `[data-card="incidents-${part}"]`;
  await shows(page, card("began"), () => compared("Opened today", "opened_at", ZONE));
  await shows(page, card("done"), () => compared("Resolved today", "resolved_at", ZONE));
  await shows(page, card("open"), async () => {
    const [now, startedAt, done] = [
      await count(OPEN),
      (await daysOf("opened_at", ZONE)).today,
      (await daysOf("resolved_at", ZONE)).today,
    ];
    const change = startedAt - done;
    return `Open incidents ${now} ${comparedWith(change, "at midnight")}`;
  });
  const late = `${OPEN} and due_at < now()`;
  const unassigned = `${OPEN} and assignee is null`;
  await shows(page, `${card("overdue")} strong`, async () => String(await count(late)));
  await shows(page, `${card("unassigned")} strong`, async () => String(await count(unassigned)));
  for (const [title, condition] of [
    ["Overdue", late],
    ["Unassigned", unassigned],
    ["Over a week", `${OPEN} and opened_at < now() - interval '7 days'`],
  ] as const) {
    const tab = `[role="tab"]:has-text("${title}")`;
    await shows(page, tab, async () => `${title} ${await count(condition)}`);
  }
  await shows(page, card("level"), async () => {
    const rows = await bySql(
      `select priority as label, count(*)::int as n from incidents where ${OPEN} group by 1 order by 1`,
    );
    return ["Open by priority", ...rows.map(({ label, n }) => `${label} ${n}`)].join(" ");
  });
  const link = (table: string) => `nav a[href="/t/${table}"]`;
  await shows(page, link("incidents"), async () => `Incidents ${await count(OPEN)} open`);
  for (const [table, label] of [
    ["groups", "Groups"],
    ["people", "People"],
    ["services", "Services"],
  ] as const) {
    await shows(page, link(table), async () => `${label} ${await count("true", table)}`);
  }
  await goTo(page, http, "/t/incidents");
  await shows(page, "footer [data-testid=total]", async () => `${await count("true")} incidents`);
});

it("shows on the wall what SQL counts, by the days of the wallboard", async () => {
  const { token } = await pairDisplay(server.url, ownerUser, [WALLBOARD]);
  const wallContext = await browser.newContext({
    viewport: { width: 1920, height: 1080 },
    timezoneId: ZONE,
  });
  await wallContext.addCookies([{ name: "watchfloor_display", value: token, url: http.url }]);
  const wall = await wallContext.newPage();
  await wall.goto(`${http.url}/display`);
  await wall.locator('[data-tile="open"]').waitFor();
  const board = await ownerUser.call<{ zone: string | null }>("GET", `/wallboards/${WALLBOARD}`);
  const zone = board.zone ?? zoneOf(await ownerUser.call<{ zone?: string }>("GET", "/model"));
  await shows(wall, '[data-tile="open"]', async () => `Open ${await count(OPEN)}`);
  await shows(wall, '[data-tile="resolved-today"]', () =>
    compared("Resolved today", "resolved_at", zone, onWall),
  );
  await shows(wall, '[data-tile="by-priority"]', async () => {
    const rows = await bySql(
      `select priority as label, count(*)::int as n from incidents where ${OPEN} group by 1 order by 1`,
    );
    return ["Open by priority", ...rows.map(({ label, n }) => `${label} ${n}`)].join(" ");
  });
  const numberOf = (tile: string) =>
    wall
      .locator(`[data-tile="${tile}"]`)
      .innerText()
      .then((text) => Number(/\d+/.exec(text)?.[0]));
  await expect
    .poll(async () => (await numberOf("breaching")) - (await count(`${OPEN} and due_at < now()`)))
    .toBe(0);
  await expect
    .poll(
      async () => (await numberOf("unassigned")) - (await count(`${OPEN} and assignee is null`)),
    )
    .toBe(0);
  await expect
    .poll(async () => {
      const text = await textOf(wall, '[data-tile="opened-days"] figcaption');
      const [, first, last] = /^Opened by day: (\d+) at .+, (\d+) +now/.exec(text) ?? [];
      const midnight = `date_trunc('day', now() at time zone '${zone}')`;
      const [from, to] = [13, 12].map(
        (days) => `(${midnight} - interval '${days} days') at time zone '${zone}'`,
      );
      const expected = await count(`opened_at >= ${from} and opened_at < ${to}`);
      return [Number(first) - expected, Number(last) - (await daysOf("opened_at", zone)).today];
    })
    .toEqual([0, 0]);
  const lines = (tile: string, part: string) =>
    wall.locator(`[data-tile="${tile}"] li > ${part}`).allTextContents();
  const critical = `${OPEN} and priority = '1 - Critical'`;
  const newest = `select title as label, 0 as n from incidents where ${critical} order by opened_at desc, id limit 8`;
  const labels = async (rows: string) => (await bySql(rows)).map(({ label }) => label);
  await expect
    .poll(async () => [await lines("critical", "span:first-child"), await labels(newest)])
    .toSatisfy(([shown, expected]: string[][]) => String(shown) === String(expected));
  const groups = `select "group" as label, count(*)::int as n from incidents where ${OPEN} group by 1 order by 1`;
  await expect
    .poll(async () => {
      const [names, values] = [await lines("by-group", "span"), await lines("by-group", "b")];
      const rows = await bySql(groups);
      return [
        [names.filter((name) => name !== "Busy" && name !== "Full"), values],
        [rows.map(({ label }) => label), rows.map(({ n }) => n)],
      ];
    })
    .toSatisfy(([shown, expected]: unknown[]) => String(shown) === String(expected));
  await wallContext.close();
});

it("marks values as old on dashboard, sidebar and designer while the database is unavailable", async () => {
  const designer = await context.newPage();
  await Promise.all([page.goto(http.url), designer.goto(`${http.url}/wallboards/${WALLBOARD}`)]);
  const live = '[data-fresh="live"]';
  await page.locator(`[data-card="incidents-open"]${live}`).waitFor();
  await designer.locator(`[data-tile="open"]${live}`).waitFor();
  postgres.cut();
  await page.locator('[data-card="incidents-open"][data-fresh="lost"]').waitFor();
  await designer.locator('[data-tile="open"][data-fresh="lost"]').waitFor();
  await page.getByText(/^Server delayed .* — values from \d\d:\d\d:\d\d/).waitFor();
  await designer.getByText(/^Server delayed /).waitFor();
  await page.locator("nav [data-old]", { hasText: "open" }).waitFor();
  postgres.restore();
  await page.locator(`[data-card="incidents-open"]${live}`).waitFor();
  await designer.locator(`[data-tile="open"]${live}`).waitFor();
  await designer.close();
});

it("says on the dashboard that the connection is lost, and not that nothing has changed", async () => {
  await page.goto(http.url);
  await page
    .getByRole("region", { name: "Latest changes" })
    .getByRole("listitem")
    .first()
    .waitFor();
  http.cut();
  await page.getByText(/^Connection lost /).waitFor();
  expect(await page.getByText("No changes yet").count()).toBe(0);
  http.restore();
  await page.locator('[data-card="incidents-open"][data-fresh="live"]').waitFor();
});
