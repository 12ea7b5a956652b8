// Covers: server/relay
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TableSession } from "../../client/src/sync/feed/followed-tables.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type OpenCore } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { headOf } from "../harness/watcher.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { databases } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";

const ROWS = proofSize(20_000, 1_000_000);
const USERS = 10;
const EDIT_EVERY_MS = 500;
/** Edits go on for this long before the transaction and after it. */
const AROUND_MS = proofSize(3_000, 30_000);
const VISIBLE_ROWS = 50;
const SHOWN_WITHIN_MS = 1_000;
const PAGE_MAX_BYTES = 2 ** 20;
const GIVEN_UP_MS = 300_000;
const TEST_TIMEOUT_MS = 1_200_000;

interface Sent {
  by: number;
  at: number;
  answeredAt: number;
  /** When each page showed it. */
  shown: Map<number, number>;
}

/** When an edit was made, and when each page showed it. The value of an edit identifies it. */
class Delays {
  readonly #sent = new Map<string, Sent>();

  send(text: string, by: number): void {
    this.#sent.set(text, { by, at: performance.now(), answeredAt: Number.NaN, shown: new Map() });
  }

  answer(text: string): void {
    const sent = this.#sent.get(text);
    if (sent) sent.answeredAt = performance.now();
  }

  /** From each edit of that time to its answer: what the database and the machine cost. */
  answersAfter(start: number): number[] {
    return [...this.#sent.values()]
      .filter(({ at, answeredAt }) => at >= start && !Number.isNaN(answeredAt))
      .map(({ at, answeredAt }) => answeredAt - at)
      .sort((a, b) => a - b);
  }

  show(text: unknown, page: number): void {
    const sent = this.#sent.get(String(text));
    if (sent && !sent.shown.has(page)) sent.shown.set(page, performance.now());
  }

  /** From each edit of that time to each other page; `from` a later moment for those that had to wait until then. */
  between(start: number, end: number, from = 0): number[] {
    return [...this.#sent.values()]
      .filter(({ at }) => at >= start && at < end)
      .flatMap(({ by, at, shown }) =>
        [...shown]
          .filter(([page]) => page !== by)
          .map(([, shownAt]) => Math.max(0, shownAt - Math.max(at, from))),
      )
      .sort((a, b) => a - b);
  }

  get count(): number {
    return this.#sent.size;
  }
}

/** A user at a page of the table, on a connection whose bytes are counted. */
class Page {
  readonly session: TableSession;
  readonly line: LineProxy;
  readonly #index: number;
  readonly #core: OpenCore["core"];
  readonly #delays: Delays;
  #serial = 0;

  constructor(index: number, core: OpenCore["core"], line: LineProxy, delays: Delays) {
    this.#index = index;
    this.#core = core;
    this.line = line;
    this.#delays = delays;
    this.session = core.openTable("incidents");
  }

  async open(): Promise<void> {
    const rowList = this.session.openRowList({ filter: null, sort: ["number"], search: "" });
    this.#core.start();
    rowList.setVisible(0, VISIBLE_ROWS);
    await rowList.getRows(0, VISIBLE_ROWS);
    for (let user = 0; user < USERS; user += 1) await this.session.hold(workableIncident(user + 1));
    this.session.onTouched(({ records }) => {
      for (const record of records) this.#delays.show(this.location(record), this.#index);
    });
  }

  location(record: string) {
    return this.session.get(record)?.values.location ?? null;
  }

  /** Resolves once the edit is confirmed: nobody writes on in a cell that is not stored yet. */
  async edit(): Promise<void> {
    const record = workableIncident(this.#index + 1);
    this.#serial += 1;
    const text = `place ${this.#serial} of ${this.#index}`;
    this.#delays.send(text, this.#index);
    const base = { location: this.location(record) };
    await this.#core.edits.edit("incidents", { record, set: { location: text }, base }).outcome;
    this.#delays.answer(text);
  }

  async close(): Promise<void> {
    await this.#core.stop();
    await this.line[Symbol.asyncDispose]();
  }
}

describe.each(databases)(
  "another program's large transaction in $name",
  { timeout: TEST_TIMEOUT_MS },
  (kind) => {
    let installation: TestInstallation;
    const delays = new Delays();
    const pages: Page[] = [];

    beforeAll(async () => {
      installation = await TestInstallation.open({ kind });
      const { server, ownerUser } = installation;
      for (let index = 0; index < USERS; index += 1) {
        const user = await addUser(server.url, ownerUser, `Editor ${index}`);
        const line = await LineProxy.start(Number(new URL(server.url).port));
        const page = new Page(index, user.open({ url: line.url }).core, line, delays);
        pages.push(page);
        await page.open();
      }
    }, TEST_TIMEOUT_MS);
    afterAll(async () => {
      for (const page of pages) await page.close();
      await installation[Symbol.asyncDispose]();
    });

    it(`P11 of ${ROWS} rows does not delay edits of ${USERS} users beyond its locks, and costs a page no more than its rows`, async () => {
      const { program, ownerUser } = installation;
      const ending = new AbortController();
      const editing = pages.map((page, index) => editSteadily(page, index, ending.signal));
      await sleep(AROUND_MS);
      const lag = new MachineLag();
      const began = performance.now();
      await program.query("begin");
      await program.query(`insert into incidents (id, title, location)
        select 'bulk-' || n, 'Bulk ' || n, 'Everywhere' from generate_series(1, ${ROWS}) n`);
      const before = pages.map(({ line }) => line.receivedBytes);
      // Here the changes are numbered, under the lock of the feed.
      const from = performance.now();
      await program.query("commit");
      const to = performance.now();
      await sleep(AROUND_MS);
      ending.abort();
      await Promise.all(editing);
      const head = await headOf(ownerUser);
      for (const { session } of pages) {
        const isThere = () => session.phase === "live" && (session.position?.seq ?? 0) >= head;
        await until("a page is at the head", GIVEN_UP_MS, isThere);
      }
      const bytes = Math.max(
        ...pages.map(({ line }, index) => line.receivedBytes - (before[index] ?? 0)),
      );
      const within = (times: readonly number[]) =>
        Math.round(times[Math.floor(times.length * 0.95)] ?? Number.NaN);
      const p95 = {
        before: within(delays.between(0, began)),
        written: within(delays.between(began, from)),
        locked: within(delays.between(from, to, to)),
        after: within(delays.between(to, Number.POSITIVE_INFINITY)),
        answeredAfter: within(delays.answersAfter(to)),
      };
      const measured = {
        rows: ROWS,
        edits: delays.count,
        lockMs: Math.round(to - from),
        p95,
        bytes,
      };
      process.stdout.write(`bulk write: ${JSON.stringify(measured)}\n`);
      expect(bytes).toBeLessThanOrEqual(PAGE_MAX_BYTES);
      const notLocked = [
        ...delays.between(began, from),
        ...delays.between(from, Number.POSITIVE_INFINITY, to),
      ];
      expect(within(notLocked.sort((a, b) => a - b))).toBeLessThan(
        await lag.allowing(SHOWN_WITHIN_MS),
      );
      for (let user = 0; user < USERS; user += 1) {
        const record = workableIncident(user + 1);
        const { values } = await ownerUser.record("incidents", record);
        expect(pages.map((page) => page.location(record))).toEqual(
          pages.map(() => values.location),
        );
      }
    });
  },
);

/** One edit at a time, at a place of its own in the half second. */
async function editSteadily(page: Page, index: number, signal: AbortSignal): Promise<void> {
  await sleep((index * EDIT_EVERY_MS) / USERS);
  while (!signal.aborted) {
    await page.edit();
    await sleep(EDIT_EVERY_MS);
  }
}
