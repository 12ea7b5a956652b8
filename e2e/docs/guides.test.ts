import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { createSecret, signedHeaders } from "../../server/webhooks/sign.ts";
import { findProgram, provideProgram } from "../provision/programs.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../stages/run-tool.ts";

let server: TestServer;
let folder: TempFolder;
let owner: ApiClient;
beforeAll(async () => {
  await provideProgram(() => findProgram(["curl"]), "curl", "curl");
  folder = await tempFolder();
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
  const group = { values: { name: "Network" } };
  await owner.call("POST", "/api/v1/tables/groups/records", group);
});
afterAll(async () => {
  await server.close();
  folder.drop();
});

const guide = (name: string) => readFileSync(`${repositoryRoot}/docs/guides/${name}.md`, "utf8");
const blocks = (name: string, language: string) =>
  [...guide(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );

/** Runs the commands of a guide unchanged; `npm run <command> --` is the command behind it, without npm. */
async function runCommands(name: string): Promise<string> {
  const npm = `npm() { local name=("$2"); [ "$2" = watchfloor ] && name=()
    "${process.execPath}" "${repositoryRoot}/server/main.ts" "\${name[@]}" "\${@:4}"; }`;
  const script = ["set -euo pipefail", npm, ...blocks(name, "sh")].join("\n");
  const { email, password } = ownerCredentials;
  const env = {
    PATH: process.env.PATH,
    WATCHFLOOR: server.origin,
    PUBLIC_URL: server.origin,
    EMAIL: email,
    PASSWORD: password,
    WATCHFLOOR_EMAIL: email,
    WATCHFLOOR_PASSWORD: password,
    INIT_CWD: folder.path,
    DATABASE_URL: server.databaseUrl,
  };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: folder.path, env });
  return stdout;
}

describe("the guides", () => {
  it("have REST calls that work unchanged", async () => {
    const output = await runCommands("rest");
    expect(output).toContain("refused, as it should be");
    expect(output).toContain('"created":1');
    expect(output.match(/"ok":false/g)).toBeNull();
    const { body } = await owner.call("GET", "/api/v1/tables/incidents/records/rest-1");
    expect(body.values).toMatchObject({ state: "Active", group: "Day shift" });
  });

  it("have calls with an API token that work unchanged", async () => {
    const output = await runCommands("tokens");
    expect(output).toContain('"by":{"kind":"token"');
    expect(output).toContain("model.json holds version");
    expect(output).toContain("refused, as it should be");
    const { body } = await owner.call("GET", "/api/v1/tokens");
    expect(body.items).toContainEqual(
      expect.objectContaining({ name: "Deployment", role: "admin" }),
    );
  });

  it("have commands of the command line that work unchanged", async () => {
    const output = await runCommands("cli");
    expect(output).toContain("/invitation#");
    expect(output).toMatch(/ana@example.com +Ana López +editor +invited/);
    expect(output).toContain("Ana has not accepted the invitation yet");
    expect(output).toMatch(/Nightly export +wf_/);
    expect(output).toContain("new.jsonl is written");
  });

  it("have a webhook that can be created, and a function that verifies its signatures", async () => {
    const [create = ""] = blocks("webhooks", "sh");
    const [, body = ""] = /-d '([^']*)'/.exec(create) ?? [];
    const { status, body: made } = await owner.call("POST", "/api/v1/webhooks", body);
    expect([status, made.state]).toEqual([201, "active"]);
    const path = `${folder.path}/verify.mjs`;
    writeFileSync(path, blocks("webhooks", "js").join("\n"));
    const { verify } = (await import(path)) as {
      verify: (secret: string, headers: Record<string, string>, body: string) => boolean;
    };
    const secret = String(made.secret);
    const seconds = Math.floor(Date.now() / 1_000);
    const [first, second] = [
      signedHeaders([createSecret(), secret], { id: "msg_1", seconds, body }),
    ].flatMap((headers) => [headers, { ...headers, "webhook-id": "msg_2" }]);
    expect(verify(secret, first ?? {}, body)).toBe(true);
    expect(verify(secret, first ?? {}, `${body} `)).toBe(false);
    expect(verify(secret, second ?? {}, body)).toBe(false);
    const old = signedHeaders([secret], { id: "msg_1", seconds: seconds - 600, body });
    expect(verify(secret, old, body)).toBe(false);
  });

  it("have commands for the model file that work unchanged", async () => {
    expect(await runCommands("model-file")).toContain("Nothing would change");
  });

  it("have a smallest model that the server accepts", async () => {
    const [text = ""] = blocks("model-file", "json model");
    const { body: current } = await owner.call("GET", "/api/v1/model");
    const call = { ...(JSON.parse(text) as object), version: current.version };
    const { status, body } = await owner.call("PUT", "/api/v1/model?dryRun=1", call);
    expect([status, body.blocked]).toEqual([200, false]);
  });
});
