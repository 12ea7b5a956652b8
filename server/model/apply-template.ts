import type { Model } from "../../shared/model/model.ts";
import type { SetupCall } from "../../shared/protocol/session.ts";
import type { Database } from "../store/database.ts";
import { installModel, loadModel } from "../store/models.ts";
import { seedRecords } from "../store/seed.ts";
import { ordersStock } from "./templates/orders-stock.ts";
import { ordersStockBoards } from "./templates/orders-stock-board.ts";
import { ordersStockSeed } from "./templates/orders-stock-seed.ts";
import { ordersStockViews } from "./templates/orders-stock-views.ts";
import { serviceDesk } from "./templates/service-desk.ts";
import { serviceDeskBoards } from "./templates/service-desk-board.ts";
import { type SeedRecord, serviceDeskSeed } from "./templates/service-desk-seed.ts";
import { serviceDeskViews } from "./templates/service-desk-views.ts";
import type { TemplateBoard } from "./templates/template-board.ts";
import type { TemplateView } from "./templates/template-view.ts";

export type TemplateName = SetupCall["template"];

interface Template {
  model: Model;
  seed: (now: Date) => SeedRecord[];
  boards: readonly TemplateBoard[];
  views: readonly TemplateView[];
}

const templates: Record<TemplateName, Template> = {
  "service-desk": {
    model: serviceDesk,
    seed: serviceDeskSeed,
    boards: serviceDeskBoards,
    views: serviceDeskViews,
  },
  "orders-stock": {
    model: ordersStock,
    seed: ordersStockSeed,
    boards: ordersStockBoards,
    views: ordersStockViews,
  },
  empty: { model: { version: 1, tables: [] }, seed: () => [], boards: [], views: [] },
};

/** The wallboards that a template ships; for whoever knows how a board is published. */
export function templateBoards(name: TemplateName): readonly TemplateBoard[] {
  return templates[name].boards;
}

/** The views that a template ships. */
export function templateViews(name: TemplateName): readonly TemplateView[] {
  return templates[name].views;
}

/** Makes a template's tables and fills them. Safe to repeat: what stands is left as it is. */
export async function applyTemplate(database: Database, name: TemplateName): Promise<void> {
  const { model, seed } = templates[name];
  await installModel(database, model, "system:setup");
  const installed = (await loadModel(database)) ?? model;
  const names = new Set(installed.tables.map((table) => table.name));
  const records = seed(new Date()).filter((record) => names.has(record.table));
  await seedRecords(database, installed, records);
}
