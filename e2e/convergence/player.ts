import { connectionAtom, editCountsAtom } from "../../client/src/state/connection-state.ts";
import type { EditOutcome, SubmittedEdit } from "../../client/src/sync/edits/pending-edits.ts";
import type { TableSession } from "../../client/src/sync/feed/followed-tables.ts";
import type { RowList } from "../../client/src/sync/rows/row-list.ts";
import type { ViewQuery } from "../../client/src/sync/rows/view-query.ts";
import type { LineProxy } from "../harness/line-proxy.ts";
import type { OpenCore, TestUser } from "../harness/test-user.ts";
import { MutationRecorder } from "./mutation-recorder.ts";

/** Rows of a seed; more than any seed creates. */
export const ROWS_MAX = 200;

/** An edit that a player made and, once known, its outcome. */
export interface MadeEdit {
  mutation: string;
  record: string;
  outcome: EditOutcome | null;
}

/** One user at one browser: the real client core over a connection that can fail. */
export class Player {
  readonly user: TestUser;
  readonly line: LineProxy;
  readonly book = new MutationRecorder();
  readonly made: MadeEdit[] = [];
  readonly views: readonly ViewQuery[];
  /** Has the narrow role from beginning to end: nothing beyond it may be sent on the connection. */
  readonly isNarrow: boolean;
  /**
   * What could be hidden for a while, so that edits of it left the browser: nothing, what the narrow role
   * does not read, or the whole table.
   */
  lostVisibility: "nothing" | "narrow" | "all";
  session!: TableSession;
  rowLists: RowList[] = [];
  open!: OpenCore;

  constructor(user: TestUser, line: LineProxy, views: readonly ViewQuery[], isNarrow: boolean) {
    this.isNarrow = isNarrow;
    this.lostVisibility = isNarrow ? "narrow" : "nothing";
    this.user = user;
    this.line = line;
    this.views = views;
    this.#load();
  }

  #load(): void {
    this.open = this.user.open({ url: this.line.url, storage: this.book });
    this.session = this.open.core.openTable("incidents");
    this.rowLists = this.views.map((view) => this.session.openRowList(view));
    this.open.core.start();
    for (const rowList of this.rowLists) this.read(rowList);
  }

  /** Shows all rows; waits while there is no connection. */
  read(rowList: RowList): void {
    rowList.setVisible(0, ROWS_MAX);
    rowList.getRows(0, ROWS_MAX).catch(() => {});
  }

  /** The page is closed and opened again: memory is lost, storage is not. */
  async reload(): Promise<void> {
    await this.open.core.stop();
    this.#load();
  }

  /** Remembers an edit and its outcome; a refused one is dismissed after a look at it. */
  track({ record, refs, outcome }: SubmittedEdit): void {
    const { edits } = this.open.core;
    for (const ref of refs) {
      const made: MadeEdit = { mutation: ref.mutation, record, outcome: null };
      this.made.push(made);
      void outcome.then((known) => {
        made.outcome = known;
        if (known.kind === "refused") edits.drop(ref);
      });
    }
  }

  /** Live, and nothing waits for an answer. */
  isQuiet(): boolean {
    const { store } = this.open;
    return store.get(connectionAtom).kind === "live" && store.get(editCountsAtom).waiting === 0;
  }

  describe(): string {
    const { store } = this.open;
    const { name } = this.user.info;
    return `${name}: ${JSON.stringify([store.get(connectionAtom), store.get(editCountsAtom)])}`;
  }

  async stop(): Promise<void> {
    await this.open.core.stop();
    await this.line[Symbol.asyncDispose]();
  }
}
