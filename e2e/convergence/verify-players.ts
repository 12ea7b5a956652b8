import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type { RowList } from "../../client/src/sync/rows/row-list.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Page } from "../../shared/protocol/feed.ts";
import type { TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { type Player, ROWS_MAX } from "./player.ts";
import { type Fixture, HIDDEN, OUT_OF_REACH } from "./player-actions.ts";
import { readLog, verifyLog } from "./verify-log.ts";

/** What is only late, and not wrong, arrives within this time. */
const CATCH_UP_TIMEOUT_MS = 300_000;
/** How often the servers check the rights of all connections. */
export const RIGHTS_CHECK_INTERVAL_MS = 600_000;
/** Long for a notification on any machine, and much shorter than that. */
const RIGHTS_TIMEOUT_MS = 120_000;
const QUERY_INTERVAL_MS = 20;

/** Compares every screen with fresh queries and every edit with the log. Throws what differs. */
export async function verifyPlayers(
  ownerUser: TestUser,
  program: pg.Client,
  players: readonly Player[],
  fixture: Fixture,
): Promise<void> {
  const { seq } = await pageOf(ownerUser, "limit=0");
  const verifications = players.map(async (player) => {
    await until(`${player.describe()} reaches ${seq}`, CATCH_UP_TIMEOUT_MS, () => {
      return player.session.phase === "live" && (player.session.position?.seq ?? -1) >= seq;
    });
    for (const rowList of player.rowLists) await verifyRowList(player, rowList, fixture);
    if (player.isNarrow) verifyNothingLeaked(player, fixture);
  });
  await Promise.all(verifications);
  const log = await readLog(program, players, fixture);
  for (const player of players) await verifyLog(player, log, fixture);
}

async function verifyRowList(player: Player, rowList: RowList, fixture: Fixture): Promise<void> {
  const { filter, sort } = rowList.view;
  await verifyAgainstStored(player, rowList, fixture);
  if (fixture.checksTotals) await verifyTotal(player, rowList);
  await inTime(async () => {
    rowList.realign();
    await rowList.getRows(0, ROWS_MAX);
    const shown: [string, Values][] = [];
    for (let row = 0; row < rowList.status.rowCount; row++) {
      const view = rowList.at(row);
      if (view) shown.push([view.id, view.values]);
    }
    const stored = await fresh(player, filter, sort);
    same(`${player.describe()} the total by ${sort}`, rowList.status.total, stored.size);
    same(`${player.describe()} the rows by ${sort}`, shown, [...stored]);
  });
}

/** A query uses current rights; a screen learns a moment later that they changed. */
async function inTime<Result>(verify: () => Promise<Result>): Promise<Result> {
  for (const end = Date.now() + RIGHTS_TIMEOUT_MS; ; ) {
    try {
      return await verify();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(QUERY_INTERVAL_MS);
    }
  }
}

/** The total is counted again only from time to time, so few seeds wait for it. */
async function verifyTotal(player: Player, rowList: RowList): Promise<void> {
  const { filter, sort } = rowList.view;
  const isRight = async () => rowList.status.total === (await fresh(player, filter, sort)).size;
  await until("the total of a query", CATCH_UP_TIMEOUT_MS, isRight).catch((error) => {
    throw new Error(`${error}, not ${JSON.stringify(rowList.status)}; ${player.describe()}`);
  });
}

function verifyAgainstStored(
  player: Player,
  { view: { filter, sort } }: RowList,
  fixture: Fixture,
): Promise<void> {
  return inTime(async () => {
    verifyCachedRecords(player, await fresh(player, filter, sort), fixture, filter);
  });
}

/** What changes alone have made of the records, before anything is read again. */
function verifyCachedRecords(
  player: Player,
  stored: ReadonlyMap<string, Values>,
  fixture: Fixture,
  filter: Filter | null,
): void {
  for (const record of fixture.records) {
    const cached = player.session.get(record);
    const expected = stored.get(record);
    if (cached && expected) same(`${player.describe()} ${record}`, cached.values, expected);
    const isComplete = filter !== null && "field" in filter;
    if (cached && !expected && isComplete && cached.mark !== "deleted" && !cached.problem) {
      throw new Error(`${player.describe()} still shows ${JSON.stringify(cached)}`);
    }
  }
}

/** Not a byte of what the narrow role may not read was sent on the connection. */
function verifyNothingLeaked({ line }: Player, { tag }: Fixture): void {
  const received = line.received();
  if (!received.includes(tag)) throw new Error("The tapped line heard nothing at all.");
  for (const mark of [HIDDEN, OUT_OF_REACH]) {
    const at = received.indexOf(mark);
    if (at >= 0) throw new Error(`leaked: ${received.slice(Math.max(0, at - 500), at + 50)}`);
  }
}

async function fresh(player: Player, filter: Filter | null, sort: readonly string[]) {
  const query = new URLSearchParams({ sort: sort.join(","), limit: String(ROWS_MAX) });
  if (filter) query.set("filter", JSON.stringify(filter));
  const { records } = await pageOf(player.user, query.toString());
  return new Map(records.map(({ id, values }) => [id, values]));
}

/** A fresh query; repeated while a server is being restarted for another seed. */
function pageOf(user: TestUser, query: string): Promise<Page> {
  return until(`a page for ${user.info.name}`, CATCH_UP_TIMEOUT_MS, () =>
    user.page("incidents", query).catch((error: Error) => {
      if (error instanceof TypeError || error.message.includes(" 503 ")) return null;
      throw error;
    }),
  );
}

function same(what: string, shown: unknown, stored: unknown): void {
  if (isDeepStrictEqual(shown, stored)) return;
  throw new Error(`${what}\nshown  ${JSON.stringify(shown)}\nstored ${JSON.stringify(stored)}`);
}
