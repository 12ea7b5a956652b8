import type { Model } from "../../../shared/model/model.ts";
import type { ModelPlan } from "../../model/save-model.ts";
import { runCommand } from "../run-command.ts";
import { ask, ServerError, tokenFor } from "../server-call.ts";
import { type ModelCall, readModelCall, usage } from "./model-arguments.ts";
import { parseModel, readText, saveText, withVersion, writeModel } from "./model-file.ts";
import { planInWords, refusalInWords } from "./plan-in-words.ts";

/** `npm run model`: the model of a running server as a file, out and in again. */

type Send = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

async function sender(call: ModelCall): Promise<Send> {
  const token = await tokenFor(call);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async <Answer>(method: string, path: string, body?: object) => {
    const answer = await ask(call.url, path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Answer;
  };
}

async function standing(send: Send): Promise<Model> {
  try {
    return (await send<{ document: Model }>("GET", "/model/versions/current")).document;
  } catch (error) {
    // Before the first version there is nothing, and that is a model too.
    if (error instanceof ServerError && error.body.code === "not_found") {
      return { version: 0, tables: [] };
    }
    throw error;
  }
}

async function exportModel(call: ModelCall, send: Send): Promise<number> {
  const model = await standing(send);
  await saveText(call.file, writeModel(model));
  if (call.file !== "-") console.log(`${call.file} holds version ${model.version}.`);
  return 0;
}

async function applyModel(call: ModelCall, send: Send): Promise<number> {
  const content = await readText(call.file);
  const document = parseModel(call.file, content);
  const isBased = document.version !== undefined && !call.ontoCurrent;
  const version = isBased ? document.version : (await standing(send)).version;
  const model = { ...document, version };
  const plan = await send<ModelPlan>("PUT", "/model?dryRun=1", model);
  console.log(planInWords(plan, call.showSql));
  if (plan.steps.length === 0) return 0;
  if (plan.blocked) return 1;
  if (!call.apply || (plan.lossy && !call.confirmLoss)) {
    const how = plan.lossy ? "--confirm=lossy" : "--yes";
    console.log(`Nothing was changed. Put it in force with ${how}.`);
    return call.apply ? 1 : 0;
  }
  const query = call.confirmLoss ? "?confirm=lossy" : "";
  const applied = await send<ModelPlan>("PUT", `/model${query}`, model);
  console.log(`Version ${applied.version} is in force.`);
  const renewed = withVersion(content, applied.version);
  if (call.file !== "-" && renewed !== content) {
    await saveText(call.file, renewed);
    console.log(`${call.file} now names that version.`);
  }
  return 0;
}

async function run(): Promise<number> {
  const call = readModelCall(process.argv.slice(2), process.env);
  const send = await sender(call);
  try {
    return await (call.verb === "export" ? exportModel(call, send) : applyModel(call, send));
  } catch (error) {
    const words = error instanceof ServerError ? refusalInWords(error.body) : null;
    if (words === null) throw error;
    console.error(words);
    return 1;
  }
}

runCommand(run, usage);
