import type { TableSession } from "../../client/src/sync/feed/followed-tables.ts";
import type { RowList } from "../../client/src/sync/rows/row-list.ts";
import type { Values } from "../../shared/model/model.ts";
import type { OpenCore, TestUser } from "./test-user.ts";
import { until } from "./until.ts";

const ROWS = 2_000;
const PAGE = 500;

/**
 * A screen on one table: the real client core, with a row list over all its rows. Its contents can be compared
 * with a fresh query of the same user.
 */
export class Watcher implements AsyncDisposable {
  readonly session: TableSession;
  readonly rowList: RowList;
  readonly core: OpenCore["core"];
  readonly #user: TestUser;
  readonly #table: string;

  private constructor(user: TestUser, open: OpenCore, table: string) {
    this.#user = user;
    this.#table = table;
    this.core = open.core;
    this.session = open.core.openTable(table);
    this.rowList = this.session.openRowList({ filter: null, sort: ["number"], search: "" });
  }

  /** Opens the table and reads all its rows. */
  static async open(user: TestUser, open: OpenCore = user.open(), table = "incidents") {
    const watcher = new Watcher(user, open, table);
    open.core.start();
    await watcher.readAll();
    return watcher;
  }

  async readAll(): Promise<void> {
    this.rowList.setVisible(0, ROWS);
    for (let start = 0; start < ROWS; start += PAGE) {
      const { rowCount } = await this.rowList.getRows(start, start + PAGE);
      if (start + PAGE >= rowCount) return;
    }
  }

  /** The confirmed and pending values of a record, as shown. */
  values(record: string): Values | undefined {
    return this.session.get(record)?.values;
  }

  async reaches(seq: number, withinMs = 60_000): Promise<void> {
    const { session } = this;
    await until(`position ${seq}, at ${session.position?.seq}`, withinMs, () => {
      return session.position !== null && session.position.seq >= seq;
    });
  }

  /** All records held here, and the same records by a fresh query: to be compared. */
  async againstQuery(): Promise<{ shown: Record<string, Values>; stored: Record<string, Values> }> {
    const stored: Record<string, Values> = {};
    for (let offset = 0; ; offset += PAGE) {
      const query = `sort=number&limit=${PAGE}&offset=${offset}`;
      const { records } = await this.#user.page(this.#table, query);
      for (const { id, values } of records) stored[id] = values;
      if (records.length < PAGE) break;
    }
    const shown: Record<string, Values> = {};
    for (const id of Object.keys(stored)) {
      const values = this.values(id);
      if (values) shown[id] = values;
    }
    return { shown, stored };
  }

  /** The rows after realigning, and the same list by a fresh query. */
  async rowsAgainstQuery(): Promise<{ shown: [string, Values][]; stored: [string, Values][] }> {
    const { stored } = await this.againstQuery();
    this.rowList.realign();
    await this.readAll();
    const shown: [string, Values][] = [];
    for (let index = 0; index < this.rowList.status.rowCount; index++) {
      const row = this.rowList.at(index);
      if (row) shown.push([row.id, row.values]);
    }
    return { shown, stored: Object.entries(stored) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.core.stop();
  }
}

/** The head of a table's feed. */
export async function headOf(user: TestUser, table = "incidents"): Promise<number> {
  return (await user.page(table, "limit=0")).seq;
}
