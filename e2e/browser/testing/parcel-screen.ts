import type { Locator, Page } from "playwright";
import { beforeAll } from "vitest";
import type { Field, Model } from "../../../shared/model/model.ts";
import { apiRequest } from "./api-request.ts";
import type { Visitor } from "./browser.ts";
import { cell, goToTable } from "./grid.ts";
import { openProduct, type Product } from "./product.ts";
import { twoUsers } from "./two-users.ts";

const fields: Field[] = [
  { name: "place", label: "Place", type: "text" },
  { name: "name", label: "Name", type: "text" },
  { name: "pieces", label: "Pieces", type: "integer" },
  { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" },
  { name: "share", label: "Share", type: "percent", scale: 1 },
  { name: "day", label: "Day", type: "date" },
  { name: "sent_at", label: "Sent", type: "timestamp" },
  { name: "size", label: "Size", type: "select", options: [{ value: "S" }, { value: "L" }] },
  { name: "urgent", label: "Urgent", type: "boolean" },
  { name: "owner", label: "Owner", type: "person" },
  { name: "note", label: "Note", type: "longText" },
];

const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };

export type Stored = Record<string, unknown>;

/** What one step may write. */
export const STEP_MAX_RECORDS = 600;

/**
 * Two users and a table of parcels with fields of many types. Each test opens parcels of its own, sorted by place; `at` is
 * a cell of them by the row in which it began.
 */
export class ParcelScreen {
  readonly product: Product;
  #users!: { mara: Visitor; ana: Visitor };
  #round = 0;
  #ids: string[] = [];

  /** Call it before the tests of a file. */
  static async open(): Promise<ParcelScreen> {
    const environment = { MUTATION_MAX_OPS: String(STEP_MAX_RECORDS) };
    const { browser, product } = await openProduct({ environment });
    const screen = new ParcelScreen(product);
    beforeAll(async () => {
      screen.#users = await twoUsers(browser, product);
      await screen.#addTable();
    });
    return screen;
  }

  private constructor(product: Product) {
    this.product = product;
  }

  get mara(): Page {
    return this.#users.mara.page;
  }

  get ana(): Page {
    return this.#users.ana.page;
  }

  get round(): number {
    return this.#round;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  async #addTable(): Promise<void> {
    const { mara, product } = this;
    const model = await apiRequest<Model>(mara, product, "GET", "/model");
    const columns = fields.map(({ name }) => name);
    const parcels = { ...table, fields, columns, sort: ["place"] };
    await apiRequest(mara, product, "PUT", "/model", {
      ...model,
      tables: [...model.tables, parcels],
    });
    await mara.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }

  /** Creates parcels of this test alone and opens a view of them, sorted by place. */
  async openParcels(count: number, values: (index: number) => Stored = () => ({})): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const pad = (index: number) => String(index).padStart(4, "0");
    this.#ids = Array.from({ length: count }, (_, index) => `p${round}-${pad(index)}`);
    const ops = this.#ids.map((record, index) => ({
      op: "create",
      table: "parcels",
      record,
      values: { name: `Parcel ${index}`, place: `${round}-${pad(index)}`, ...values(index) },
    }));
    for (let from = 0; from < count; from += STEP_MAX_RECORDS) {
      const id = `parcels-${round}-${from}`;
      const part = ops.slice(from, from + STEP_MAX_RECORDS);
      await apiRequest(this.mara, this.product, "POST", "/mutations", { id, ops: part });
    }
    const path = `parcels?sort=place&filter=${this.#filter}`;
    await goToTable(this.mara, this.product, path);
  }

  get #filter(): string {
    const filter = { field: "place", op: "startsWith", value: `${this.#round}-` };
    return encodeURIComponent(JSON.stringify(filter));
  }

  at = (index: number, field: string): Locator => cell(this.mara, this.#ids[index] ?? "", field);

  press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await this.mara.keyboard.press(key);
  };

  /** The part of the status line that counts what is selected. */
  range = (): Locator => this.mara.getByTestId("range");

  storedValues = async (): Promise<Map<string, Stored>> => {
    const path = `/tables/parcels/records?limit=1000&sort=place&filter=${this.#filter}`;
    type Answer = { records: { id: string; values: Stored }[] };
    const { records } = await apiRequest<Answer>(this.mara, this.product, "GET", path);
    return new Map(records.map(({ id, values }) => [id, values]));
  };

  namesStored = async (): Promise<(string | null)[]> =>
    [...(await this.storedValues()).values()].map(({ name }) => name as string | null);
}
