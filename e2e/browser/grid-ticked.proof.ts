// Covers: client/src/features/grid client/src/sync
import { expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { apiRequest } from "./testing/api-request.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();

const selection = () => screen.mara.getByRole("toolbar", { name: /selected/ });

/** Ticks the first rows. */
async function tick(count: number): Promise<void> {
  for (const id of screen.ids.slice(0, count))
    await screen.mara.locator(`.ag-row[row-id="${id}"] input[type="checkbox"]`).click();
  await selection().getByText(`${count} selected`).waitFor();
}

it("counts a ticked record no more that a colleague deletes, and deletes the others", async () => {
  await screen.openParcels(4);
  await tick(3);
  const [, second = ""] = screen.ids;
  const path = `/tables/parcels/records/${second}?overwrite=true`;
  await apiRequest(screen.ana, screen.product, "DELETE", path);
  await selection().getByText("2 selected").waitFor();
  await selection().getByRole("button", { name: "Delete" }).click();
  await screen.mara.getByText("2 parcels deleted.").first().waitFor();
  expect([...(await screen.storedValues()).keys()]).toEqual(screen.ids.slice(3));
});

it("counts none in the grid of another model, where none is ticked", async () => {
  await screen.openParcels(3);
  await tick(2);
  const { mara, product } = screen;
  const model = await apiRequest<Model>(mara, product, "GET", "/model");
  const tables = model.tables.map((table) =>
    table.name === "parcels"
      ? { ...table, fields: table.fields.map((one) => ({ ...one, label: `${one.label} 2` })) }
      : table,
  );
  await apiRequest(mara, product, "PUT", "/model", { ...model, tables });
  await mara.getByRole("columnheader", { name: "Place 2" }).waitFor();
  await selection().waitFor({ state: "detached" });
  await mara.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
  expect(await mara.locator(".ag-row-selected").count()).toBe(0);
});
