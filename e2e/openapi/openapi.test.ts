import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { repositoryRoot } from "../suite/run-tool.ts";
import { generateClient, packagesFolder, runNode, storeDocument } from "./generate-client.ts";

const lint = join(repositoryRoot, "e2e/openapi/lint-document.mjs");
const folder = packagesFolder();
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
});
afterAll(async () => {
  folder.drop();
  await server.close();
});

const documentFile = (token?: string) => storeDocument(folder.path, server.origin, token);

async function newToken(): Promise<string> {
  const { body } = await owner.call("POST", "/api/v1/tokens", { name: "Client" });
  return String(body.token);
}

it("is clean under a public linter, for everybody and for a user with tables", async () => {
  expect(await runNode(folder.path, lint, await documentFile())).toBe("");
  expect(await runNode(folder.path, lint, await documentFile(await newToken()))).toBe("");
});

it("makes a strictly typed client that reads, creates, edits and runs transitions with a token", async () => {
  const token = await newToken();
  const client = await generateClient(folder.path, await documentFile(token));
  const printed = await runNode(folder.path, join(client, "client.ts"), server.origin, token);
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
