import type { Model } from "../../../shared/model/model.ts";
import { defineCommand } from "../command.ts";
import { type RestCall, ServerError } from "../rest-call.ts";
import { withServer } from "../server-call.ts";
import { formatPlan, formatRefusal } from "./format-plan.ts";
import {
  type ModelCall,
  type ModelOptions,
  options,
  readModelCall,
  usage,
} from "./model-arguments.ts";
import { parseModel, readText, saveText, withVersion, writeModel } from "./model-file.ts";

/** `watchfloor model`: exports the model of a running server as a file, and applies it. */

async function fetchModel(rest: RestCall): Promise<Model> {
  try {
    return (await rest("GET /model/versions/{version}", { params: { version: "current" } }))
      .document;
  } catch (error) {
    // Before the first version the model is empty.
    if (error instanceof ServerError && error.body.code === "not_found") {
      return { version: 0, tables: [] };
    }
    throw error;
  }
}

async function exportModel(call: ModelCall, rest: RestCall): Promise<number> {
  const model = await fetchModel(rest);
  await saveText(call.file, writeModel(model));
  if (call.file !== "-") console.log(`${call.file} holds version ${model.version}.`);
  return 0;
}

async function applyModel(call: ModelCall, rest: RestCall): Promise<number> {
  const content = await readText(call.file);
  const document = parseModel(call.file, content);
  const isBased = document.version !== undefined && !call.ontoCurrent;
  const version = isBased ? document.version : (await fetchModel(rest)).version;
  const model = { ...document, version } as Model; // the server validates the rest
  const plan = await rest("PUT /model", { query: { dryRun: "1" }, body: model });
  console.log(formatPlan(plan, call.showSql));
  if (plan.steps.length === 0) return 0;
  if (plan.blocked) return 1;
  if (!call.apply || (plan.lossy && !call.confirmLoss)) {
    const how = plan.lossy ? "--confirm=lossy" : "--yes";
    console.log(`Nothing was changed. Publish it with ${how}.`);
    return call.apply ? 1 : 0;
  }
  const query = call.confirmLoss ? ({ confirm: "lossy" } as const) : {};
  const applied = await rest("PUT /model", { query, body: model });
  console.log(`Version ${applied.version} is published.`);
  const renewed = withVersion(content, applied.version);
  if (call.file !== "-" && renewed !== content) {
    await saveText(call.file, renewed);
    console.log(`${call.file} now names that version.`);
  }
  return 0;
}

async function run(given: ModelOptions): Promise<number> {
  const call = readModelCall(given, process.env);
  try {
    return await withServer(call, (rest) =>
      call.verb === "export" ? exportModel(call, rest) : applyModel(call, rest),
    );
  } catch (error) {
    const text = error instanceof ServerError ? formatRefusal(error.body) : null;
    if (text === null) throw error;
    console.error(text);
    return 1;
  }
}

export const command = defineCommand({ usage, options, maxArguments: 2, run });
