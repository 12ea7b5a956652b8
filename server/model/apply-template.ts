import type { Model } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ModelPlan } from "../../shared/protocol/model.ts";
import type { ExampleName, SetupCall } from "../../shared/protocol/session.ts";
import type { Database, Db } from "../store/database.ts";
import { requireFreeNames, tablesOfOthers } from "../store/managed-tables.ts";
import { firstModel, holdModel, installModel, isSetUp, readModel } from "../store/models.ts";
import { type SeedRecord, seedRecords } from "../store/seed.ts";
import { type Models, saveModel } from "./save-model.ts";
import { ordersStock } from "./templates/orders-stock.ts";
import { ordersStockSeed } from "./templates/orders-stock-seed.ts";
import { ordersStockViews } from "./templates/orders-stock-views.ts";
import { ordersStockWallboards } from "./templates/orders-stock-wallboard.ts";
import { serviceDesk } from "./templates/service-desk.ts";
import { serviceDeskSeed } from "./templates/service-desk-seed.ts";
import { serviceDeskViews } from "./templates/service-desk-views.ts";
import { serviceDeskWallboards } from "./templates/service-desk-wallboard.ts";
import type { TemplateView, TemplateWallboard } from "./templates/template.ts";

type TemplateName = SetupCall["template"];

interface Template {
  model: Model;
  seed: (now: Date) => SeedRecord[];
  wallboards: readonly TemplateWallboard[];
  views: readonly TemplateView[];
}

const templates: Record<TemplateName, Template> = {
  "service-desk": {
    model: serviceDesk,
    seed: serviceDeskSeed,
    wallboards: serviceDeskWallboards,
    views: serviceDeskViews,
  },
  "orders-stock": {
    model: ordersStock,
    seed: ordersStockSeed,
    wallboards: ordersStockWallboards,
    views: ordersStockViews,
  },
  empty: { model: { version: 1, tables: [] }, seed: () => [], wallboards: [], views: [] },
};

/** The wallboards of a template; the caller publishes them. */
export function templateWallboards(name: TemplateName): readonly TemplateWallboard[] {
  return templates[name].wallboards;
}

/** The views of a template. */
export function templateViews(name: TemplateName): readonly TemplateView[] {
  return templates[name].views;
}

/**
 * The template of a first start that nobody watches: the given one, else the service desk. Nothing is installed unasked beside
 * tables of other programs, which are returned.
 */
export async function templateOfFirstStart(
  database: Database,
  given: TemplateName | undefined,
): Promise<{ template: TemplateName; others: string[] }> {
  if (given !== undefined) return { template: given, others: [] };
  const others = (await isSetUp(database)) ? [] : await tablesOfOthers(database.kysely);
  return { template: others.length > 0 ? "empty" : "service-desk", others };
}

/**
 * Creates a template's tables and fills them, in one transaction. Safe to repeat: if there is a model,
 * nothing is changed. Refuses if the database has something else under one of its names. `zone`: where days
 * begin, if that is known.
 */
export async function applyTemplate(
  database: Database,
  name: TemplateName,
  zone?: string | undefined,
): Promise<void> {
  const { model, seed } = templates[name];
  const inZone = zone === undefined ? model : { ...model, zone };
  await installModel(database, inZone, "system:setup", seed(new Date()));
}

/**
 * Publishes the tables of an example and fills them, for somebody who began with an empty installation. Refuses with `model_conflict`
 * where there are tables already, and as `saveModel` does. The records are the template's, whatever rights its user has to their tables.
 */
export async function publishExample(
  models: Models,
  name: ExampleName,
  { by, authorize }: { by: string; authorize: (tx: Db) => Promise<void> },
): Promise<ModelPlan> {
  const { model, seed } = templates[name];
  const { kysely } = models.database;
  const { version, tables } = await readModel(kysely);
  if (tables.length > 0) throw new Refusal("model_conflict", { version, by: null, at: null });
  const plan = await saveModel(models, { model: { ...model, version }, by, authorize });
  await kysely.transaction().execute(async (tx) => {
    await seedRecords(tx, await holdModel(tx), seed(new Date()));
  });
  return plan;
}

/** Refuses if the database has something else under a name of the template. Reads only. */
export async function requireCapacityFor({ kysely }: Database, name: TemplateName): Promise<void> {
  await requireFreeNames(kysely, firstModel(templates[name].model));
}
