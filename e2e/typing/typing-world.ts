import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Browser, CDPSession, Page } from "playwright";
import type { Model } from "../../shared/model/model.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { launch, type Visitor, visitAs } from "../browser/testing/browser.ts";
import { goTo } from "../browser/testing/go-to.ts";
import { cell, recordsShown } from "../browser/testing/grid.ts";
import { pressKey } from "../browser/testing/pipelined-keys.ts";
import { owner, type Product, startProduct } from "../browser/testing/product.ts";
import { untilIdle } from "../browser/testing/until-idle.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { compare, type ListedText, type Outcome } from "./compare-series.ts";
import { type Column, placesOf, type Sheet, type Write } from "./typing-reference.ts";
import {
  type ColleagueAction,
  describeSeries,
  type Meanwhile,
  type ScriptKey,
  type Series,
  scriptOf,
} from "./typing-series.ts";
import {
  columnsOf,
  initialValues,
  shownFields,
  wardId,
  wards,
  withTypingTables,
} from "./typing-table.ts";

/** How long the page may go on after it said that it had nothing to do, before a difference is a fault. */
const LATE_MS = 2_500;
/** Below the pause after which the product lets rows and columns change (key-queue.ts, TYPING_PAUSE_MS). */
const AWAITED_MAX_MS = 600;

/** After a second without a key the product takes up what waits: a machine that pauses the keys for so long has played another series. */
const STARVED_MS = 900;

/**
 * One product, the typist's page at a distance from it, and a colleague, for series that are played one after the other. Several play side by side:
 * each has a Chromium of its own, because all pages of one share the clipboard.
 */
export class TypingWorld implements AsyncDisposable {
  readonly #product: Product;
  readonly #line: LineProxy;
  readonly #sql: pg.Client;
  readonly #browser: Browser;
  readonly #typist: Visitor;
  readonly #colleague: TestUser;
  #keys!: CDPSession;
  #model!: Model;
  #columns: readonly Column[] = [];
  #view: ViewInfo | null = null;
  #round = 0;
  /** Between two keys of the series that was played last, as the machine sent them. */
  #longestGapMs = 0;

  private constructor(
    product: Product,
    line: LineProxy,
    sql: pg.Client,
    browser: Browser,
    typist: Visitor,
    colleague: TestUser,
  ) {
    this.#product = product;
    this.#line = line;
    this.#sql = sql;
    this.#browser = browser;
    this.#typist = typist;
    this.#colleague = colleague;
  }

  static async open(): Promise<TypingWorld> {
    const environment = {
      WATCHFLOOR_TEMPLATE: "empty",
      SOCKET_MESSAGES_PER_SECOND: "100000",
    };
    const [browser, product] = await Promise.all([launch(), startProduct({ environment })]);
    const line = await LineProxy.start(Number(new URL(product.url).port));
    const sql = new pg.Client({ connectionString: product.databaseUrl });
    await sql.connect();
    const ownerUser = await signIn(product.url, owner);
    const colleague = await addUser(product.url, ownerUser, "Olga Berg", "owner");
    const typist = await visitAs(browser, line, owner);
    await typist.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const world = new TypingWorld(product, line, sql, browser, typist, colleague);
    await world.#prepare();
    return world;
  }

  async #prepare(): Promise<void> {
    const model = await this.#colleague.call<Model>("GET", "/model");
    await this.#colleague.call("PUT", "/model", withTypingTables(model));
    this.#model = await this.#colleague.call<Model>("GET", "/model");
    const { items } = await this.#colleague.call<{ items: { id: string; name: string }[] }>(
      "GET",
      "/users",
    );
    this.#columns = columnsOf(Object.fromEntries(items.map(({ id, name }) => [name, id])));
    for (const label of wards)
      await this.#sql.query("insert into wards (id, name) values ($1, $2)", [wardId(label), label]);
    const { page } = this.#typist;
    this.#keys = await page.context().newCDPSession(page);
  }

  get #page(): Page {
    return this.#typist.page;
  }

  /**
   * Plays a series, and once more if it differed and the machine had sent its keys late. Returns the differences from the reference, with the
   * series as a script; null if there are none.
   */
  async play(series: Series): Promise<string | null> {
    const failure = await this.#playOnce(series);
    return failure !== null && this.#longestGapMs > STARVED_MS ? this.#playOnce(series) : failure;
  }

  async #playOnce(series: Series): Promise<string | null> {
    const sheet = await this.#reset(series);
    const script = scriptOf(series, sheet);
    const keys = script.map(({ key }) => key);
    const writes = placesOf(sheet, series.start, keys);
    const theirs = { values: new Map<string, string | null>(), created: new Set<string>() };
    const paste = keys.find((key) => "paste" in key);
    if (paste && "paste" in paste) await this.#copy(paste.paste);
    await this.#focus(sheet, series.start);
    const problems = await this.#send(series, script, (action) => this.#act(action, sheet, theirs))
      .then(() => this.#compare(sheet, writes, theirs))
      .catch((error: unknown) => [String(error)]);
    this.#line.delayMs = 0;
    await this.#leave(problems.length > 0);
    if (problems.length === 0) return null;
    const expected = writes.map(
      ({ record, field, text, value }) =>
        `  "${text}" in ${record}, ${field}${value === undefined ? ", to be listed as unsaved" : ""}`,
    );
    return [
      describeSeries(series, script),
      "The reference:",
      ...expected,
      "The differences:",
      ...problems.map((line) => `  ${line}`),
      `The longest pause between two keys was ${Math.round(this.#longestGapMs)} ms.`,
    ].join("\n");
  }

  /** Sends the keys as they are due, whether the page has handled the ones before or not. */
  async #send(
    { distanceMs, gapMs, meanwhile }: Series,
    script: readonly ScriptKey[],
    act: (action: ColleagueAction) => Promise<void>,
  ): Promise<void> {
    this.#line.delayMs = distanceMs;
    const underway: Promise<unknown>[] = [];
    const due = [...meanwhile];
    // The colleague does one thing after the other.
    let acting: Promise<void> = Promise.resolve();
    let sentAt = performance.now();
    this.#longestGapMs = 0;
    for (const { input, key, isInEditor } of script) {
      while (due[0] && due[0].after <= input) {
        const { action, isAwaited } = due.shift() as Meanwhile;
        acting = acting.then(() => act(action));
        // A failure is thrown at the end of the series.
        acting.catch(() => {});
        if (!isAwaited || !isInEditor) continue;
        // Who pauses for longer has stopped typing, and sees what has changed.
        await Promise.race([
          acting.then(() => untilIdle(this.#page, { except: ["rows"] })),
          pause(AWAITED_MAX_MS),
        ]);
        sentAt = performance.now();
      }
      this.#longestGapMs = Math.max(this.#longestGapMs, performance.now() - sentAt);
      sentAt = performance.now();
      underway.push(pressKey(this.#keys, key));
      await pause(gapMs);
    }
    await Promise.all([acting, ...underway]);
  }

  async #compare(
    sheet: Sheet,
    writes: readonly Write[],
    theirs: { values: Map<string, string | null>; created: Set<string> },
  ): Promise<string[]> {
    const until = performance.now() + LATE_MS;
    for (;;) {
      await untilIdle(this.#page, { except: ["rows"] });
      const outcome = await this.#outcome();
      const problems = compare(sheet, writes, outcome, theirs);
      if (problems.length === 0) return problems;
      if (performance.now() > until) return [...problems, ...outcome.listed.map(describeListed)];
      await pause(50);
    }
  }

  /** Everything as it was, with rows that no series before had; the page shows them in a shared view of their own. */
  async #reset({ rows, columns }: Series): Promise<Sheet> {
    this.#round += 1;
    const round = this.#round;
    const page = this.#page;
    if (page.url() !== "about:blank") await goTo(page, this.#line, "/me");
    if (this.#view) await this.#colleague.call("DELETE", `/views/${this.#view.id}`);
    await this.#restoreModel();
    const records = Array.from(
      { length: rows },
      (_, index) => `b${round}-${String(index).padStart(2, "0")}`,
    );
    const values = new Map(records.map((record, index) => [record, initialValues(index)]));
    const all = records.map((id, index) => ({
      id,
      ...this.#byColumn({ position: index * 10, ...values.get(id) }),
    }));
    await this.#sql.query("begin");
    await this.#sql.query("delete from beds");
    await this.#sql.query("delete from watchfloor.change_set");
    const names = Object.keys(all[0] ?? {}).join(", ");
    await this.#sql.query(
      `insert into beds (${names}) select ${names} from jsonb_populate_recordset(null::beds, $1)`,
      [JSON.stringify(all)],
    );
    await this.#sql.query("commit");
    this.#view = await this.#colleague.call<ViewInfo>("POST", "/views", {
      table: "beds",
      name: `Round ${round}`,
      shared: true,
      sort: ["position"],
      columns: [
        ...columns.map((field) => ({ field })),
        ...shownFields
          .filter((field) => !columns.includes(field))
          .map((field) => ({ field, hidden: true })),
      ],
    });
    await goTo(page, this.#line, `/t/beds?view=${this.#view.id}`);
    await cell(page, records.at(-1) ?? "", columns[0] ?? "").waitFor();
    await untilIdle(page);
    const shown = await recordsShown(page);
    if (shown.join() !== records.join())
      throw new Error(`The page shows ${shown}, not ${records}.`);
    const drawn = columns.flatMap(
      (field) => this.#columns.find((one) => one.field === field) ?? [],
    );
    return { columns: drawn, records, values };
  }

  /** A publication is undone by another one; most series have none. */
  async #restoreModel(): Promise<void> {
    const { version } = await this.#colleague.call<Model>("GET", "/model");
    if (version === this.#model.version) return;
    await this.#colleague.call("PUT", "/model?confirm=lossy", { ...this.#model, version });
    this.#model = await this.#colleague.call<Model>("GET", "/model");
  }

  /** The columns of the database: a field that was removed and added again has another one. */
  get #columnNames(): ReadonlyMap<string, string> {
    const fields = this.#model.tables.find(({ name }) => name === "beds")?.fields ?? [];
    return new Map(fields.map(({ name, column = name }) => [name, column]));
  }

  #byColumn(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const names = this.#columnNames;
    return Object.fromEntries(
      Object.entries(values).map(([field, value]) => [names.get(field), value]),
    );
  }

  async #copy(block: readonly (readonly string[])[]): Promise<void> {
    const text = block.map((cells) => cells.join("\t")).join("\n");
    await this.#page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  }

  async #focus(
    { columns, records }: Sheet,
    { row, column }: { row: number; column: number },
  ): Promise<void> {
    const at = cell(this.#page, records[row] ?? "", columns[column]?.field ?? "");
    await at.click({ position: { x: 3, y: 3 } });
    await at.and(this.#page.locator(":focus")).waitFor();
  }

  async #act(
    action: ColleagueAction,
    { records }: Sheet,
    theirs: { values: Map<string, string | null>; created: Set<string> },
  ): Promise<void> {
    const { call } = this.#colleague;
    const record = "row" in action ? (records[action.row] ?? "") : "";
    const path = `/tables/beds/records/${record}?overwrite=true`;
    if (action.kind === "edit") {
      const value = { name: "Olga", places: 9_999, ward: wardId("West") }[action.field] ?? null;
      theirs.values.set(`${record} ${action.field}`, String(value));
      await call("PATCH", path, { set: { [action.field]: value } }).catch(onlyIfGone);
    } else if (action.kind === "reorder")
      await call("PATCH", path, { set: { position: -5 } }).catch(onlyIfGone);
    else if (action.kind === "create") {
      const id = `olga-${this.#round}-${theirs.created.size}`;
      theirs.created.add(id);
      await call("POST", "/tables/beds/records", {
        record: id,
        values: { name: "Olga's", position: 55 },
      });
    } else if (action.kind === "delete") await call("DELETE", path).catch(onlyIfGone);
    else if (action.kind === "view")
      await call("PATCH", `/views/${this.#view?.id}`, viewChanges[action.change]);
    else await this.#publish(action.change);
  }

  async #publish(change: "relabel" | "add" | "remove"): Promise<void> {
    const model = await this.#colleague.call<Model>("GET", "/model");
    const beds = model.tables.find(({ name }) => name === "beds");
    if (!beds) return;
    if (change === "relabel") for (const field of beds.fields) field.label = `${field.label}'`;
    else if (change === "add") {
      if (beds.fields.some(({ name }) => name === "extra")) return;
      beds.fields.push({ name: "extra", label: "Extra", type: "text" });
      beds.columns = ["extra", ...beds.columns];
    } else {
      beds.fields = beds.fields.filter(({ name }) => name !== "places");
      beds.columns = beds.columns.filter((name) => name !== "places");
    }
    await this.#colleague.call("PUT", "/model?confirm=lossy", model);
  }

  async #outcome(): Promise<Outcome> {
    const fields = Object.fromEntries(
      [...this.#columnNames].map(([field, column]) => [column, field]),
    );
    const { rows } = await this.#sql.query<{ id: string; values: Record<string, string | null> }>(
      `select b.id, (select jsonb_object_agg($1::jsonb ->> e.key, e.value)
         from jsonb_each_text(to_jsonb(b)) e where $1::jsonb ? e.key) as values from beds b`,
      [fields],
    );
    const log = await this.#sql.query<{ place: string }>(
      `select c.record || ' ' || ($2::jsonb ->> e.key) || ' ' || e.value as place
       from watchfloor.change c, jsonb_each_text(c.after) e
       where c.record like $1 and $2::jsonb ? e.key and e.value is not null`,
      [`b${this.#round}-%`, fields],
    );
    const drafts = await this.#sql.query<{ row: Record<string, string | null> }>(
      `select (select jsonb_object_agg(coalesce($1::jsonb ->> e.key, e.key), e.value)
         from jsonb_each_text(op -> 'values') e) as row
       from watchfloor.change_set_op where kind = 'create'`,
      [fields],
    );
    return {
      drafted: drafts.rows.map(({ row }) => row),
      stored: new Map(rows.map(({ id, values }) => [id, withoutPosition(values)])),
      logged: new Set(log.rows.map(({ place }) => place)),
      listed: await this.#listed(),
    };
  }

  /** What the page lists to its author, as the browser stores it, so that each text has its record and its field. */
  async #listed(): Promise<ListedText[]> {
    const { texts, edits } = await this.#page.evaluate(readUnsaved);
    const ofEdits = edits.flatMap(({ ops }) =>
      ops.flatMap(({ record, set, values }) =>
        Object.entries(set ?? values ?? {}).flatMap(([field, value]) =>
          value === null || field === "position"
            ? []
            : [{ record: record ?? "", field, text: String(value) }],
        ),
      ),
    );
    return [...texts, ...ofEdits];
  }

  /** A page that lists something, or has failed, is opened anew: the next series begins without it. */
  async #leave(hasFailed: boolean): Promise<void> {
    const page = this.#page;
    const { texts, edits } = await page.evaluate(readUnsaved);
    const isClean = texts.length + edits.length === 0 && page.url().includes("/t/beds");
    if (isClean && !hasFailed) return;
    await page.goto(`${this.#line.url}/api/v1/health`);
    await page.evaluate(clearStorage);
    await page.goto("about:blank");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#line[Symbol.asyncDispose]();
    await this.#sql.end();
    await this.#product.close();
  }
}

const viewChanges = {
  order: { sort: ["-position"] },
  filter: { filter: { field: "position", op: "lt", value: 40 } },
  group: { grouping: { field: "size" } },
  columns: { columns: [{ field: "day" }, { field: "name", hidden: true }] },
};

function withoutPosition({ position: _, ...values }: Record<string, string | null>) {
  return values;
}

function describeListed({ record, field, text }: ListedText): string {
  return `(Listed as unsaved: "${text}" in ${record}, ${field}.)`;
}

/** Another action of the same series may have deleted the record or its field. */
function onlyIfGone(error: Error): void {
  if (!/ 404 | 409 | 410 |record\.unknownFields/.test(error.message)) throw error;
}

/** Runs in the page. */
async function readUnsaved() {
  const texts = Object.entries(localStorage)
    .filter(([key]) => key.startsWith("watchfloor.unsaved."))
    .map(([, text]) => JSON.parse(text) as { record: string; field: string; text: string });
  const database = await new Promise<IDBDatabase | null>((resolve) => {
    const opening = indexedDB.open("watchfloor");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
  });
  type StoredEdit = {
    ops: { record?: string; set?: Record<string, unknown>; values?: Record<string, unknown> }[];
  };
  if (!database?.objectStoreNames.contains("edits")) return { texts, edits: [] };
  const edits = await new Promise<StoredEdit[]>((resolve) => {
    const asked = database.transaction("edits").objectStore("edits").getAll();
    asked.onsuccess = () => resolve(asked.result);
  });
  database.close();
  return { texts, edits };
}

/** Runs in the page, while the app is not open. */
async function clearStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  await new Promise<void>((resolve) => {
    const deleting = indexedDB.deleteDatabase("watchfloor");
    deleting.onsuccess = () => resolve();
    deleting.onblocked = () => resolve();
    deleting.onerror = () => resolve();
  });
}
