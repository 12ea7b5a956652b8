import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../shared/model/model.ts";
import type { ApiSession } from "../load/api-session.ts";
import type { Watcher } from "../load/watcher.ts";
import type { LogRow } from "./incident-log.ts";

const PAGE_RECORDS = 1_000;

/** Every record of a table by a fresh query, and the position it shows. */
export async function readAll(
  api: ApiSession,
  table: string,
): Promise<{ records: Map<string, Values>; seq: number }> {
  const records = new Map<string, Values>();
  for (let offset = 0; ; offset += PAGE_RECORDS) {
    const query = { sort: ["id"], limit: PAGE_RECORDS, offset };
    const page = await api.call("GET /tables/{table}/records", { params: { table }, query });
    for (const { id, values } of page.records) records.set(id, values);
    if (page.records.length < PAGE_RECORDS) return { records, seq: page.seq };
  }
}

/** What differs from the log at the end: one sentence each, empty if nothing. */
export function wrongRecords(
  log: readonly LogRow[],
  records: ReadonlyMap<string, Values>,
): string[] {
  const last = new Map(log.map((row) => [row.incident, row.values]));
  return [...last].flatMap(([incident, values]) => {
    const stored = records.get(incident) ?? {};
    const wrong = Object.keys(values).filter(
      (name) => !isDeepStrictEqual(stored[name], values[name]),
    );
    return wrong.map((n) => `${incident}.${n} is ${stored[n]} and should be ${values[n]}`);
  });
}

/** What a watcher shows differently from a fresh query, by its cache and by its wire alone. */
export async function wrongInWatcher(
  watcher: Watcher,
  start: ReadonlyMap<string, Values>,
  expected: ReadonlyMap<string, Values>,
): Promise<string[]> {
  const problems = differences("wire", watcher.audit.replayOver(start), expected);
  const followed = new Map<string, Values>();
  for (const id of expected.keys()) {
    const view = watcher.session.get(id);
    if (view) followed.set(id, { ...view.values });
  }
  problems.push(
    ...differences("cache", followed, new Map([...expected].filter(([id]) => followed.has(id)))),
  );
  await watcher.refresh();
  const rows = await watcher.rows();
  const shown = new Map(rows.map((row) => [row.id, { ...row.values }]));
  if (shown.size !== rows.length) problems.push("a record is in two rows");
  return [...problems, ...differences("row list", shown, expected)];
}

function differences(
  where: string,
  mine: ReadonlyMap<string, Values>,
  expected: ReadonlyMap<string, Values>,
): string[] {
  const ids = new Set([...mine.keys(), ...expected.keys()]);
  return [...ids]
    .filter((id) => !isDeepStrictEqual(mine.get(id), expected.get(id)))
    .map(
      (id) =>
        `${where}: ${id} is ${JSON.stringify(mine.get(id))}, not ${JSON.stringify(expected.get(id))}`,
    );
}
