import { expect, it } from "vitest";
import { checkModel } from "../../../shared/model/check-model.ts";
import { findField, findTable } from "../../../shared/model/model.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { checkViewSettings, viewDocumentSchema } from "../../../shared/model/view/view.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { gridOf, wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import { guardedModel } from "../testing/guarded-model.ts";
import { ordersStock } from "./orders-stock.ts";
import { ordersStockViews } from "./orders-stock-views.ts";
import { ordersStockWallboards } from "./orders-stock-wallboard.ts";
import { serviceDesk } from "./service-desk.ts";
import { serviceDeskViews } from "./service-desk-views.ts";
import { serviceDeskWallboards } from "./service-desk-wallboard.ts";

it.each([
  ["service desk", serviceDesk],
  ["orders & stock", ordersStock],
  ["guarded desk of the tests", guardedModel],
])("the template %s is a valid model", (_, model) => {
  expect(modelSchema.parse(model)).toEqual(model);
  expect(checkModel(model)).toEqual([]);
});

it.each([
  ["service desk", serviceDesk, serviceDeskWallboards],
  ["orders & stock", ordersStock, ordersStockWallboards],
])("the wallboards of the template %s are valid for their model", (_, model, wallboards) => {
  for (const { document } of wallboards) {
    // the zone is the owner's, and comes with the installation
    const { zone: _, ...parsed } = wallboardDocumentSchema.parse(document);
    expect(parsed).toEqual(document);
    expect(document.tiles.flatMap((tile) => checkTile(tile, model))).toEqual([]);
    expect(gridOf(document)).toEqual(document.grid);
  }
});

it.each([
  ["service desk", serviceDesk, serviceDeskViews],
  ["orders & stock", ordersStock, ordersStockViews],
])("the views of the template %s use existing fields", (_, model, views) => {
  for (const { id: _id, table: name, ...view } of views) {
    const { shared: _shared, ...parsed } = viewDocumentSchema.parse({ ...view, shared: true });
    expect(parsed).toEqual(view);
    const table = findTable(model, name);
    expect(table && checkViewSettings(parsed, table)).toBeNull();
  }
  expect(new Set(views.map(({ id }) => id)).size).toBe(views.length);
});

it.each([
  ["service desk", serviceDesk],
  ["orders & stock", ordersStock],
])("a newly created record has the fields that the tables of the %s are sorted by", (_, model) => {
  for (const table of model.tables) {
    for (const key of table.sort) {
      const field = findField(table, key.replace(/^-/, ""));
      const isFilled =
        field?.required || field?.automatic !== undefined || field?.default !== undefined;
      expect(isFilled, `${table.name} is sorted by ${key}`).toBe(true);
    }
  }
});
