import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type { RecordWindow } from "../../client/src/sync/window/record-window.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Page } from "../../shared/protocol/query.ts";
import type { Person } from "../harness/person.ts";
import { until } from "../harness/until.ts";
import { judgeLog, readLog } from "./judge-log.ts";
import { type Ground, HIDDEN, OUT_OF_REACH } from "./moves.ts";
import { type Player, ROWS_MAX } from "./player.ts";

/** What is only late, and not wrong, is there within this time. */
const SETTLED_WITHIN_MS = 300_000;
/** Long for a signal, and shorter than what finds by looking that it was lost (RIGHTS_CHECK_INTERVAL_MS). */
const RIGHTS_HEARD_WITHIN_MS = 15_000;

/** Holds every screen against fresh queries and every edit against the log. Throws what differs. */
export async function judge(
  boss: Person,
  program: pg.Client,
  players: readonly Player[],
  ground: Ground,
): Promise<void> {
  const { seq } = await pageOf(boss, "limit=0");
  const judged = players.map(async (player) => {
    await until(`${player.describe()} reaches ${seq}`, SETTLED_WITHIN_MS, () => {
      return player.session.phase === "live" && (player.session.position?.seq ?? -1) >= seq;
    });
    for (const window of player.windows) await judgeWindow(player, window, ground);
    if (player.isBlind) judgeHeard(player, ground);
  });
  await Promise.all(judged);
  const log = await readLog(program, players, ground);
  for (const player of players) await judgeLog(player, log, ground);
}

async function judgeWindow(player: Player, window: RecordWindow, ground: Ground): Promise<void> {
  const { sort } = window.view;
  const stored = await holdsWhatIsStored(player, window, ground);
  if (ground.isPatient) await judgeTotal(player, window, stored.size);
  window.realign();
  await window.getRows(0, ROWS_MAX);
  const shown: [string, Values][] = [];
  for (let row = 0; row < window.status.rowCount; row++) {
    const view = window.at(row);
    if (view) shown.push([view.id, view.values]);
  }
  same(`${player.describe()} the total by ${sort}`, window.status.total, stored.size);
  same(`${player.describe()} the rows by ${sort}`, shown, [...stored]);
}

/** The total is counted anew only now and then, so few seeds wait for it. */
async function judgeTotal(player: Player, window: RecordWindow, total: number): Promise<void> {
  const isRight = () => window.status.total === total;
  await until(`a total of ${total}`, SETTLED_WITHIN_MS, isRight).catch((error) => {
    throw new Error(`${error}, not ${JSON.stringify(window.status)}; ${player.describe()}`);
  });
}

/** A query is judged by the rights of now; a screen hears a moment later that they are other ones. */
async function holdsWhatIsStored(
  player: Player,
  { view: { filter, sort } }: RecordWindow,
  ground: Ground,
): Promise<Map<string, Values>> {
  for (const end = Date.now() + RIGHTS_HEARD_WITHIN_MS; ; ) {
    const stored = await fresh(player, filter, sort);
    try {
      judgeHeld(player, stored, ground, filter);
      return stored;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** What changes alone have made of the records, before anything is read anew. */
function judgeHeld(
  player: Player,
  stored: ReadonlyMap<string, Values>,
  ground: Ground,
  filter: Filter | null,
): void {
  for (const record of ground.records) {
    const held = player.session.get(record);
    const truth = stored.get(record);
    if (held && truth) same(`${player.describe()} ${record}`, held.values, truth);
    const isWhole = filter !== null && "field" in filter;
    if (held && !truth && isWhole && held.mark !== "deleted" && !held.problem) {
      throw new Error(`${player.describe()} still shows ${JSON.stringify(held)}`);
    }
  }
}

/** Not a byte of what the narrow role may not read has come over the line. */
function judgeHeard({ line }: Player, { tag }: Ground): void {
  const heard = line.heard();
  if (!heard.includes(tag)) throw new Error("The tapped line heard nothing at all.");
  for (const mark of [HIDDEN, OUT_OF_REACH]) {
    const at = heard.indexOf(mark);
    if (at >= 0) throw new Error(`leaked: ${heard.slice(Math.max(0, at - 500), at + 50)}`);
  }
}

async function fresh(player: Player, filter: Filter | null, sort: readonly string[]) {
  const query = new URLSearchParams({ sort: sort.join(","), limit: String(ROWS_MAX) });
  if (filter) query.set("filter", JSON.stringify(filter));
  const { records } = await pageOf(player.person, query.toString());
  return new Map(records.map(({ id, values }) => [id, values]));
}

/** A fresh query; asked again while a node is being started anew for another seed. */
function pageOf(person: Person, query: string): Promise<Page> {
  return until(`a page for ${person.info.name}`, SETTLED_WITHIN_MS, () =>
    person.page("incidents", query).catch((error: Error) => {
      if (error instanceof TypeError || error.message.includes(" 503 ")) return null;
      throw error;
    }),
  );
}

function same(what: string, shown: unknown, stored: unknown): void {
  if (isDeepStrictEqual(shown, stored)) return;
  throw new Error(`${what}\nshown  ${JSON.stringify(shown)}\nstored ${JSON.stringify(stored)}`);
}
