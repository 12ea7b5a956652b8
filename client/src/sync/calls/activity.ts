import { recordTitle } from "../../../../shared/model/display-text.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import { rest } from "../../transport/rest/rest.ts";
import { valuesWhenDeleted } from "./change-log.ts";

/** One committed change, with what its record is called. */
export interface ActivityItem {
  table: Table;
  change: WireChange;
  /** What the record is called: its display value, else its id. */
  title: string;
}

/** Changes read per table: a change in a run of imports must not hide what others did. */
const READ_PER_TABLE = 20;

/**
 * The latest changes that I may read, newest first, over all the given tables. `titles` caches the titles of the records that
 * were read last.
 */
export async function readActivity(
  tables: readonly Table[],
  count: number,
  titles: Map<string, string>,
) {
  const found = (await Promise.all(tables.map(latestOf))).flat();
  const known = new Set(found.map(keyOf));
  for (const key of titles.keys()) if (!known.has(key)) titles.delete(key);
  for (const item of found) noteTitle(item, titles);
  const items = found.sort((a, b) => b.change.at.localeCompare(a.change.at));
  return Promise.all(items.slice(0, count).map((item) => withTitle(item, titles)));
}

/** The changes of the table, oldest first. */
async function latestOf(table: Table): Promise<Omit<ActivityItem, "title">[]> {
  try {
    const { epoch, seq } = await rest("GET /tables/{table}/records", {
      params: { table: table.name },
      query: { limit: 0 },
    });
    const items = await changesAfter(table.name, epoch, Math.max(0, seq - READ_PER_TABLE));
    return items.map((change) => ({ table, change }));
  } catch (error) {
    // a table that the user may not read any more has no activity; any other error is rethrown
    if (error instanceof Refusal && (error.code === "not_found" || error.code === "forbidden")) {
      return [];
    }
    throw error;
  }
}

/** Starts at the log's floor if that is higher. */
async function changesAfter(table: string, epoch: string, seq: number): Promise<WireChange[]> {
  const read = async (from: number) => {
    const page = await rest("GET /changes", { query: { table, after: `${epoch}.${from}` } });
    return "epoch" in page ? page.items : [];
  };
  try {
    return await read(seq);
  } catch (error) {
    const floor = error instanceof Refusal ? error.detail.floor : undefined;
    if (typeof floor !== "number") throw error;
    return read(floor);
  }
}

/** A later change of the display field replaces the title of an earlier one. */
function noteTitle(item: Omit<ActivityItem, "title">, titles: Map<string, string>): void {
  const { table, change } = item;
  if (!Object.hasOwn(change.set, table.display)) return;
  titles.set(keyOf(item), recordTitle(table, change.record, change.set));
}

async function withTitle(
  item: Omit<ActivityItem, "title">,
  titles: Map<string, string>,
): Promise<ActivityItem> {
  const key = keyOf(item);
  const title = titles.get(key) ?? (await titleOf(item.table, item.change.record));
  titles.set(key, title);
  return { ...item, title };
}

function keyOf({ table, change }: Omit<ActivityItem, "title">): string {
  return `${table.name}/${change.record}`;
}

async function titleOf(table: Table, record: string): Promise<string> {
  try {
    const { values } = await rest("GET /tables/{table}/records/{id}", {
      params: { table: table.name, id: record },
    });
    return recordTitle(table, record, values);
  } catch {
    return recordTitle(table, record, await valuesWhenDeleted(table.name, record));
  }
}
