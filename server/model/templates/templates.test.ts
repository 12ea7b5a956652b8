import { expect, it } from "vitest";
import { checkModel } from "../../../shared/model/check-model.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { gridOf, wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import { guardedDesk } from "../testing/guarded-desk.ts";
import { ordersStock } from "./orders-stock.ts";
import { ordersStockBoards } from "./orders-stock-board.ts";
import { serviceDesk } from "./service-desk.ts";
import { serviceDeskBoards } from "./service-desk-board.ts";

it.each([
  ["service desk", serviceDesk],
  ["orders & stock", ordersStock],
  ["guarded desk of the tests", guardedDesk],
])("the template %s is a model without fault", (_, model) => {
  expect(modelSchema.parse(model)).toEqual(model);
  expect(checkModel(model)).toEqual([]);
});

it.each([
  ["service desk", serviceDesk, serviceDeskBoards],
  ["orders & stock", ordersStock, ordersStockBoards],
])("the wallboards of the template %s say what their model can answer", (_, model, boards) => {
  for (const { document } of boards) {
    // the zone is the owner's, and comes with the installation
    const { zone: _, ...said } = wallboardDocumentSchema.parse(document);
    expect(said).toEqual(document);
    expect(document.tiles.flatMap((tile) => checkTile(tile, model))).toEqual([]);
    expect(gridOf(document)).toEqual(document.grid);
  }
});
