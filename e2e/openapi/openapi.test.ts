import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { repositoryRoot } from "../stages/run-tool.ts";

const here = join(repositoryRoot, "e2e/openapi");
let server: TestServer;
let owner: ApiClient;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
  // Within the repository, so that the client finds its packages.
  const parent = join(repositoryRoot, ".cache/openapi");
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(`${parent}/`);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

/** Runs a program and returns what it prints; what it prints before failing is in the error. */
async function run(...args: string[]): Promise<string> {
  const child = promisify(execFile)(process.execPath, args, { cwd: folder });
  const { stdout } = await child.catch(({ stdout: out, stderr }) => {
    throw new Error(`${args[0]}: ${out}${stderr}`);
  });
  return stdout;
}

async function documentFile(headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${server.origin}/api/v1/openapi.json`, { headers });
  const path = join(folder, "document.json");
  writeFileSync(path, await answer.text());
  return path;
}

async function newToken(): Promise<string> {
  const { body } = await owner.call("POST", "/api/v1/tokens", { name: "Client" });
  return String(body.token);
}

it("is clean under a public linter, for everybody and for a user with tables", async () => {
  expect(await run(join(here, "lint-document.mjs"), await documentFile())).toBe("");
  const own = await documentFile({ authorization: `Bearer ${await newToken()}` });
  expect(await run(join(here, "lint-document.mjs"), own)).toBe("");
});

it("makes a strictly typed client that reads, creates, edits and runs transitions with a token", async () => {
  const token = await newToken();
  const document = await documentFile({ authorization: `Bearer ${token}` });
  const client = join(folder, "e2e/openapi/generated-client");
  cpSync(join(here, "generated-client"), client, { recursive: true });
  cpSync(
    join(repositoryRoot, "shared/tsconfig.base.json"),
    join(folder, "shared/tsconfig.base.json"),
  );
  await run(join(here, "generate-types.mjs"), document, join(client, "types.ts"));
  const compiler = join(repositoryRoot, "node_modules/typescript/bin/tsc");
  expect(await run(compiler, "--project", client)).toBe("");
  const printed = await run(join(client, "client.ts"), server.origin, token);
  expect(JSON.parse(printed)).toEqual({
    priority: "2 - High",
    title: "Printer smokes",
    state: "Active",
    found: [["Printer smokes", "Active"]],
    stored: [true],
    refused: "conflict",
    history: ["activate", "New"],
    counted: true,
    exported: true,
  });
});
