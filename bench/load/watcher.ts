import { createAtomStore } from "../../client/src/state/atom-store.ts";
import type { RecordView } from "../../client/src/state/record-view.ts";
import { createClientCore } from "../../client/src/sync/create-client-core.ts";
import type { TableSession } from "../../client/src/sync/feed/followed-tables.ts";
import type { RowList } from "../../client/src/sync/rows/row-list.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { ApiSession } from "./api-session.ts";
import { WireAudit } from "./wire-audit.ts";

/** More rows than any table of a replay has: the watcher looks at all of them. */
const ALL_ROWS = 3_000;
/** New records wait behind "n new ↑"; the watcher clicks it from time to time, like a user. */
const CLICK_AT_WAITING = 100;

/**
 * A watching user: the real client core over a real socket, with the whole table in one row list, and an audit
 * of what the socket received, for which the client package has no place.
 */
export class Watcher {
  readonly audit: WireAudit;
  readonly session: TableSession;
  readonly #core;
  readonly #rowList: RowList;

  constructor(api: Pick<ApiSession, "url" | "token" | "user" | "model">, table: string) {
    const { url, token, user, model } = api;
    this.audit = new WireAudit(table);
    const context = { user, model, limits: defaultLimits, textOrder: "en" };
    this.#core = createClientCore({
      transport: this.audit.around(createSocketTransport({ url, token })),
      storage: createMemoryEditStorage(),
      store: createAtomStore(),
      context: () => context,
    });
    this.session = this.#core.openTable(table);
    this.#rowList = this.session.openRowList({ filter: null, sort: ["id"], search: "" });
    this.#rowList.setVisible(0, ALL_ROWS);
    this.#rowList.onRows(() => {
      if (this.#rowList.status.waiting >= CLICK_AT_WAITING) void this.refresh();
    });
  }

  /** Connects and reads every row. */
  async start(): Promise<void> {
    this.#core.start();
    await this.rows();
  }

  get seq(): number {
    return this.session.position?.seq ?? -1;
  }

  /** Shows waiting records, and reads those without a row. */
  async refresh(): Promise<void> {
    this.#rowList.realign();
    await this.rows();
  }

  async rows(): Promise<RecordView[]> {
    return (await this.#rowList.getRows(0, ALL_ROWS)).rows;
  }

  async close(): Promise<void> {
    await this.#core.stop();
  }
}
