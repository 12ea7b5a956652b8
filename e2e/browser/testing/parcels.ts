import type { Page } from "playwright";
import type { Field, Model } from "../../../shared/model/model.ts";
import { apiRequest } from "./api-request.ts";
import type { Product } from "./product.ts";

const fields: Field[] = [
  { name: "place", label: "Place", type: "text" },
  { name: "name", label: "Name", type: "text" },
  { name: "pieces", label: "Pieces", type: "integer" },
  { name: "size", label: "Size", type: "select", options: [{ value: "S" }, { value: "L" }] },
  { name: "note", label: "Note", type: "longText" },
];

type Stored = Record<string, unknown>;

/** Adds a plain table of parcels to the model of the owner's product. */
export async function addParcels(page: Page, product: Product): Promise<void> {
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const columns = fields.map(({ name }) => name);
  const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };
  const parcels = { ...table, fields, columns, sort: ["place"] };
  const tables = [...model.tables, parcels];
  await apiRequest(page, product, "PUT", "/model", { ...model, tables });
}

/** Creates parcels whose places begin with `series`, and returns their ids and the address of a view of them. */
export async function makeParcels(
  page: Page,
  product: Product,
  { series, count }: { series: string; count: number },
  values: (index: number) => Stored = () => ({}),
): Promise<{ ids: string[]; path: string }> {
  const pad = (index: number) => String(index).padStart(4, "0");
  const ids = Array.from({ length: count }, (_, index) => `${series}-${pad(index)}`);
  const ops = ids.map((record, index) => ({
    op: "create",
    table: "parcels",
    record,
    values: { name: `Parcel ${index}`, place: record, ...values(index) },
  }));
  await apiRequest(page, product, "POST", "/mutations", { id: `make-${series}`, ops });
  const filter = JSON.stringify({ field: "place", op: "startsWith", value: `${series}-` });
  return { ids, path: `parcels?sort=place&filter=${encodeURIComponent(filter)}` };
}
