import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionAtom } from "../../client/src/state/connection-state.ts";
import type { SubmittedEdit } from "../../client/src/sync/edits/pending-edits.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type OpenCore } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { headOf, Watcher } from "../harness/watcher.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { proofSize } from "../provision/proof-size.ts";

const TEST_TIMEOUT_MS = 240_000;
const SHORT_CUT_MS = proofSize(1_500, 5_000);
const LONG_CUT_MS = proofSize(2_500, 60_000);
/** Three heads are missed before a silent connection counts as dead, and its calls time out by then. */
const NOTICED_WITHIN_MS = 60_000;
const BACK_WITHIN_MS = 60_000;

/** What a server holds in memory, and what the log replays at most. */
const RING_CHANGES = 50;
const REPLAY_CHANGES = 200;
const longReplay = {
  RING_MAX_CHANGES: String(RING_CHANGES),
  REPLAY_MAX_CHANGES: String(REPLAY_CHANGES),
};
const shortRetention = {
  LOG_KEEP_MS: "500",
  LOG_SWEEP_INTERVAL_MS: "100",
  RING_MAX_CHANGES: "10",
};

/** Bob at a screen whose connection can fail, and another user who continues to work in the database. */
class Absence implements AsyncDisposable {
  readonly installation: TestInstallation;
  readonly line: LineProxy;
  readonly page: OpenCore;
  readonly screen: Watcher;
  #edits: SubmittedEdit[] = [];
  #before = 0;
  #theirs = 0;

  private constructor(
    installation: TestInstallation,
    line: LineProxy,
    page: OpenCore,
    screen: Watcher,
  ) {
    this.installation = installation;
    this.line = line;
    this.page = page;
    this.screen = screen;
  }

  static async prepare(environment: Record<string, string>): Promise<Absence> {
    const installation = await TestInstallation.open({ environment });
    const line = await LineProxy.start(installation.server.port);
    const bob = await addUser(installation.server.url, installation.ownerUser, "Bob");
    const page = bob.open({ url: line.url });
    return new Absence(installation, line, page, await Watcher.open(bob, page));
  }

  async begin(): Promise<void> {
    this.#before = await headOf(this.installation.ownerUser);
    this.#edits = [];
    this.#theirs = 0;
  }

  /** Bob edits what is on his screen, connected or not: five changes. */
  edit(first: number, text: string): void {
    const { edits } = this.page.core;
    for (let n = first; n < first + 4; n++) {
      const record = workableIncident(n);
      const base = { location: this.screen.values(record)?.location ?? null };
      const set = { location: `${text} ${n}` };
      this.#edits.push(edits.edit("incidents", { record, set, base }));
    }
    this.#edits.push(edits.create("incidents", { title: `made ${text}` }));
  }

  /** Others change, create and delete meanwhile: each a transaction of its own. */
  async others(changes: number): Promise<void> {
    for (let n = 0; n < changes; n++) {
      const record = `seed-${50 + (n % 100)}`;
      await this.installation.program.query(statementOf(n, record));
    }
    this.#theirs += changes;
  }

  connection() {
    return this.page.store.get(connectionAtom);
  }

  /** After the return, equal to a fresh query, and every change of both sides happened once. */
  async expectBack(): Promise<void> {
    await until("the line is live", BACK_WITHIN_MS, () => this.connection().kind === "live");
    const outcomes = await Promise.all(this.#edits.map(({ outcome }) => outcome));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["confirmed"]));
    const head = await headOf(this.installation.ownerUser);
    await this.screen.reaches(head, BACK_WITHIN_MS);
    expect(head - this.#before).toBe(this.#theirs + this.#edits.length);
    const { shown, stored } = await this.screen.rowsAgainstQuery();
    expect(shown).toEqual(stored);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.screen[Symbol.asyncDispose]();
    await this.line[Symbol.asyncDispose]();
    await this.installation[Symbol.asyncDispose]();
  }
}

function statementOf(n: number, record: string): string {
  if (n % 10 === 1) return "insert into incidents (id, title) values ('passing', 'short-lived')";
  if (n % 10 === 2) return "delete from incidents where id = 'passing'";
  return `update incidents set title = 'meanwhile ' || gen_random_uuid() where id = '${record}'`;
}

describe("a client whose connection was cut", { timeout: TEST_TIMEOUT_MS }, () => {
  let absence: Absence;
  beforeAll(async () => {
    absence = await Absence.prepare(longReplay);
  });
  afterAll(() => absence[Symbol.asyncDispose]());

  async function cutFor(ms: number, changes: number, text: string) {
    await absence.begin();
    absence.edit(1, `before the cut, ${text}`);
    absence.line.cut();
    await until("the cut is noticed", BACK_WITHIN_MS, () => absence.connection().kind !== "live");
    const disconnection = sleep(ms);
    absence.edit(11, `while away, ${text}`);
    await absence.others(changes);
    await disconnection;
    absence.line.restore();
    await absence.expectBack();
  }

  it(`for ${SHORT_CUT_MS} ms catches up from the server's memory`, async () => {
    await cutFor(SHORT_CUT_MS, RING_CHANGES / 2, "short");
    expect(absence.screen.session.counters).toMatchObject({ resyncs: 0, duplicates: 0 });
  });

  it(`for ${LONG_CUT_MS} ms catches up from the log`, async () => {
    await cutFor(LONG_CUT_MS, REPLAY_CHANGES - 40, "long");
    expect(absence.screen.session.counters).toMatchObject({ resyncs: 0, duplicates: 0 });
  });

  it("while more happened than is replayed reads its screen again", async () => {
    await cutFor(SHORT_CUT_MS, REPLAY_CHANGES * 2, "more than is replayed");
    expect(absence.screen.session.counters).toMatchObject({ resyncs: 1, duplicates: 0 });
  });

  it("again and again in the middle of its edits sends each of them once", async () => {
    await absence.begin();
    for (let round = 0; round < proofSize(8, 40); round++) {
      absence.edit(21 + round * 4, `round ${round}`);
      await sleep(Math.random() * 60);
      absence.line.cut();
      await absence.others(3);
      absence.line.restore();
      const isLive = () => absence.connection().kind === "live";
      await until("the line is live", BACK_WITHIN_MS, isLive);
    }
    await absence.expectBack();
  });

  it("silently, as on a connection that delivers nothing any more, notices and comes back", async () => {
    await absence.begin();
    absence.line.freeze();
    absence.edit(31, "into a dead line");
    await absence.others(20);
    const isDead = () => absence.connection().kind !== "live";
    await until("the dead line is noticed", NOTICED_WITHIN_MS, isDead);
    await absence.expectBack();
  });
});

describe("a client that was away longer than the log reaches back", {
  timeout: TEST_TIMEOUT_MS,
}, () => {
  let absence: Absence;
  beforeAll(async () => {
    absence = await Absence.prepare(shortRetention);
  });
  afterAll(() => absence[Symbol.asyncDispose]());

  it("reads its screen again and delivers what it edited meanwhile", async () => {
    await absence.begin();
    absence.line.cut();
    await until("the cut is noticed", BACK_WITHIN_MS, () => absence.connection().kind !== "live");
    absence.edit(1, "while away");
    await absence.others(30);
    await until("the log forgets", BACK_WITHIN_MS, async () => {
      const { rows } = await absence.installation.program.query(
        "select floor from watchfloor.feed where table_name = 'incidents' and floor = head",
      );
      return rows.length === 1;
    });
    absence.line.restore();
    await absence.expectBack();
    expect(absence.screen.session.counters).toMatchObject({ resyncs: 1, duplicates: 0 });
  });
});
