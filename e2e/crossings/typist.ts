import { createAtomStore } from "../../client/src/state/atom-store.ts";
import { connectionAtom, editCountsAtom } from "../../client/src/state/connection-state.ts";
import { editIssuesAtom } from "../../client/src/state/edit-issues.ts";
import { unsavedTextsAtom } from "../../client/src/state/unsaved-texts.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { createClientCore } from "../../client/src/sync/create-client-core.ts";
import type { TableSession } from "../../client/src/sync/feed/followed-tables.ts";
import type { RowList } from "../../client/src/sync/rows/row-list.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import { until } from "../harness/until.ts";
import { asWire, fieldOf, tableOf } from "./crossing-model.ts";
import type { CrossingWorld } from "./crossing-world.ts";

const QUIET_WITHIN_MS = 60_000;
const ROWS_MAX = 1_000;

/** A text that was typed and of which nothing is known yet. */
interface TypedText {
  text: string;
  /** The record and the id of the field. */
  place: string;
}

/**
 * The owner at a browser: the real client core, with a storage that survives reloads. Every text that was typed is logged,
 * pending or shown to its author, whatever happens to the model, the server and the database meanwhile.
 */
export class Typist {
  readonly #world: CrossingWorld;
  readonly #storage = createMemoryEditStorage();
  readonly #texts = new MemoryTexts();
  readonly #store = createAtomStore();
  #core!: ClientCore;
  #model: Model;
  #session!: TableSession;
  #rowList!: RowList;
  #isOnline = true;
  /** The last text of each place. */
  #due: TypedText[] = [];

  private constructor(world: CrossingWorld, model: Model) {
    this.#world = world;
    this.#model = model;
  }

  static async open(world: CrossingWorld): Promise<Typist> {
    const typist = new Typist(world, await world.model());
    typist.#load();
    return typist;
  }

  get #table(): Table {
    return tableOf(this.#model, "jobs") as Table;
  }

  #load(): void {
    const { url } = this.#world.server;
    const { token, info } = this.#world.ownerUser;
    this.#core = createClientCore({
      transport: createSocketTransport({ url, token }),
      storage: this.#storage,
      texts: this.#texts,
      store: this.#store,
      context: () => ({
        user: { id: info.id, name: info.name, attributes: {} },
        model: this.#model,
        limits: defaultLimits,
        textOrder: "en",
      }),
    });
    this.#openTable();
    this.#core.start();
    this.#core.setOnline(this.#isOnline);
  }

  #openTable(): void {
    this.#session = this.#core.openTable(this.#table.name);
    this.#rowList = this.#session.openRowList({ filter: null, sort: [], search: "" });
    this.#rowList.setVisible(0, ROWS_MAX);
    this.#rowList.getRows(0, ROWS_MAX).catch(() => {});
  }

  /** Types a text into a field of a record that is shown, based on what is shown. */
  type(): string {
    const { random, records } = this.#world;
    const shown = records.filter((id) => this.#session.get(id)?.mark === null);
    if (shown.length === 0) return "nothing is shown";
    const record = random.pick(shown);
    const id = random.pick(["title", "secret"]);
    const { name } = fieldOf(this.#table, id);
    const text = this.#world.unique();
    const base = this.#session.get(record)?.values[name] ?? null;
    const edit = { record, set: { [name]: text }, base: { [name]: base } };
    this.#core.edits.edit(this.#table.name, edit);
    const place = `${record} ${id}`;
    this.#due = [...this.#due.filter((other) => other.place !== place), { place, text }];
    return `${place}: ${text}${this.#isOnline ? "" : ", offline"}`;
  }

  toggleLine(): string {
    this.#isOnline = !this.#isOnline;
    this.#core.setOnline(this.#isOnline);
    return this.#isOnline ? "back" : "cut off";
  }

  /** The page is closed and opened again: memory is lost, storage is not. */
  async reload(): Promise<string> {
    this.#core.storeBeforeLeaving();
    await this.#core.stop();
    this.#load();
    return "reloaded";
  }

  stop(): Promise<void> {
    return this.#core.stop();
  }

  /** The texts that the log of the database holds. */
  async committed(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#world.program.query<{ text: string }>(
      `select t.text from unnest($1::text[]) as t(text)
       where exists (select from watchfloor.change c where c.after::text like '%"' || t.text || '"%')`,
      [this.#due.map(({ text }) => text)],
    );
    return new Set(rows.map(({ text }) => text));
  }

  /** An older copy of the database was restored: what only the replaced one had committed is lost. */
  async onRestored(committed: ReadonlySet<string>): Promise<void> {
    const restored = await this.committed();
    this.#due = this.#due.filter(({ text }) => !committed.has(text) || restored.has(text));
  }

  /** Throws if a text is nowhere, or if the screen shows something else than what is stored. */
  async verify(): Promise<void> {
    if (!this.#isOnline) {
      const stored = JSON.stringify(await this.#storage.load(this.#core.userId));
      return this.#expectNoneLost(stored + this.#texts.everything());
    }
    this.#core.setOnline(true);
    await this.#followModel();
    await this.#untilQuiet();
    await this.#acceptRefusals();
    await this.#expectNoneLost("");
    await this.#untilCurrent();
  }

  /** As the page does: it reads the model again when another one is published. */
  async #followModel(): Promise<void> {
    const model = await this.#world.model();
    if (model.version === this.#model.version) return;
    const { name } = this.#table;
    this.#model = model;
    this.#core.forgetHidden();
    if (this.#table.name === name) return;
    this.#rowList.close();
    this.#session.close();
    this.#openTable();
  }

  #untilQuiet(): Promise<unknown> {
    const state = () =>
      JSON.stringify([
        this.#store.get(connectionAtom),
        this.#store.get(editCountsAtom),
        this.#session.phase,
      ]);
    const isQuiet = () =>
      this.#store.get(connectionAtom).kind === "live" &&
      this.#session.phase === "live" &&
      this.#store.get(editCountsAtom).waiting === 0;
    return until("the typist's edits are answered", QUIET_WITHIN_MS, isQuiet).catch((error) => {
      throw new Error(`${error}: ${state()}`);
    });
  }

  /** What was refused is shown to its author, who reads and drops it. */
  async #acceptRefusals(): Promise<void> {
    const issues = this.#store.get(editIssuesAtom);
    const refused = new Set(issues.map(({ edit }) => edit.mutation));
    const stored = await this.#storage.load(this.#core.userId);
    const shown = JSON.stringify([
      ...stored.filter(({ id }) => refused.has(id)),
      ...this.#store.get(unsavedTextsAtom),
    ]);
    this.#due = this.#due.filter(({ text }) => !shown.includes(JSON.stringify(text)));
    for (const { edit } of issues) this.#core.edits.drop(edit);
    for (const { id } of this.#store.get(unsavedTextsAtom)) this.#core.texts.discard(id);
  }

  async #expectNoneLost(pending: string): Promise<void> {
    const committed = await this.committed();
    for (const { place, text } of this.#due) {
      if (committed.has(text) || pending.includes(text)) continue;
      throw new Error(`"${text}", typed into ${place}, is neither logged, pending nor shown.`);
    }
  }

  async #untilCurrent(): Promise<void> {
    const stored = await this.#world.stored();
    const { fields } = this.#table;
    const differing = () =>
      [...stored].find(([id, values]) => {
        const shown = this.#session.get(id)?.values;
        const isSame = (field: Table["fields"][number]) =>
          asWire(shown?.[field.name]) === (values[field.id ?? field.name] ?? null);
        return shown && !fields.every(isSame);
      });
    await until("the typist's screen is current", QUIET_WITHIN_MS, () => !differing()).catch(() => {
      const [id = ""] = differing() ?? [];
      const shown = JSON.stringify(this.#session.get(id));
      throw new Error(`The typist is shown ${shown}, stored is ${JSON.stringify(stored.get(id))}`);
    });
  }
}

/** The browser's storage of texts, which survives a reload. */
class MemoryTexts {
  readonly #texts = new Map<string, string>();

  get length(): number {
    return this.#texts.size;
  }

  key(index: number): string | null {
    return [...this.#texts.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  removeItem(key: string): void {
    this.#texts.delete(key);
  }

  everything(): string {
    return [...this.#texts.values()].join();
  }
}
