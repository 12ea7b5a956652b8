import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../suite/run-tool.ts";

const here = join(repositoryRoot, "e2e/openapi");

/** A folder within the repository, so that programs in it find its packages. */
export function packagesFolder(): { path: string; drop: () => void } {
  const parent = join(repositoryRoot, ".cache/openapi");
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(`${parent}/`);
  return { path, drop: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a program and returns what it prints; what it prints before failing is in the error. */
export async function runNode(cwd: string, ...args: string[]): Promise<string> {
  const child = promisify(execFile)(process.execPath, args, { cwd });
  const { stdout } = await child.catch(({ stdout: out, stderr }) => {
    throw new Error(`${args[0]}: ${out}${stderr}`);
  });
  return stdout;
}

/** Stores the OpenAPI document that a caller gets, and returns its path. */
export async function storeDocument(folder: string, url: string, token?: string): Promise<string> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/openapi.json`, { headers });
  const path = join(folder, "document.json");
  writeFileSync(path, await answer.text());
  return path;
}

/**
 * Generates the types of a document, and compiles the programs of `generated-client` with them by the repository's strict
 * settings. Returns the folder of the programs.
 */
export async function generateClient(folder: string, document: string): Promise<string> {
  const client = join(folder, "e2e/openapi/generated-client");
  cpSync(join(here, "generated-client"), client, { recursive: true });
  const settings = "shared/tsconfig.base.json";
  cpSync(join(repositoryRoot, settings), join(folder, settings));
  await runNode(folder, join(here, "generate-types.mjs"), document, join(client, "types.ts"));
  const compiler = join(repositoryRoot, "node_modules/typescript/bin/tsc");
  const reported = await runNode(folder, compiler, "--checkers", "1", "--project", client);
  if (reported !== "") throw new Error(reported);
  return client;
}
