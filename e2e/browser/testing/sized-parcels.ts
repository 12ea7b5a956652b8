import type { Page } from "playwright";
import type { Field, Model } from "../../../shared/model/model.ts";
import { apiRequest } from "./api-request.ts";
import type { Product } from "./product.ts";

const fields: Field[] = [
  { name: "name", label: "Name", type: "text" },
  {
    name: "size",
    label: "Size",
    type: "select",
    options: [
      { value: "L", label: "Large" },
      { value: "S", label: "Small" },
    ],
  },
  { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" },
  { name: "urgent", label: "Urgent", type: "boolean" },
];

/** Sizes and costs of the parcels p0, p1 and so on. */
const parcels: [string | null, string][] = [
  ["S", "0.10"],
  ["L", "20.00"],
  ["S", "0.20"],
  [null, "5.00"],
  ["L", "9007199254740993.05"],
];

/** Publishes a table of parcels with sizes and costs, and fills it. */
export async function addSizedParcels(page: Page, product: Pick<Product, "url">): Promise<void> {
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const columns = fields.map(({ name }) => name);
  const table = { name: "parcels", label: "Parcels", recordLabel: "parcel", display: "name" };
  await apiRequest(page, product, "PUT", "/model", {
    ...model,
    tables: [...model.tables, { ...table, fields, columns, sort: ["name"] }],
  });
  const ops = parcels.map(([size, cost], index) => ({
    op: "create",
    table: "parcels",
    record: `p${index}`,
    values: { name: `Parcel ${index}`, size, cost, urgent: index === 0 },
  }));
  await apiRequest(page, product, "POST", "/mutations", { id: "parcels", ops });
}
