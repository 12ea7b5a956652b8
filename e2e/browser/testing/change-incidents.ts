import type { Page } from "playwright";
import type { Model, Table } from "../../../shared/model/model.ts";
import { apiRequest } from "./api-request.ts";
import type { Product } from "./product.ts";

/** The owner changes the table of incidents, on their page, while others work. */
export async function changeIncidents(
  page: Page,
  product: Pick<Product, "url">,
  change: (incidents: Table) => void,
): Promise<void> {
  const model = await apiRequest<Model>(page, product, "GET", "/model");
  const incidents = model.tables.find(({ name }) => name === "incidents");
  if (!incidents) throw new Error("There are no incidents.");
  change(incidents);
  await apiRequest(page, product, "PUT", "/model?confirm=lossy", model);
}
