// Covers: docs/guides

import { execFile } from "node:child_process";
import { globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { createSecret, signedHeaders } from "../../server/webhooks/sign.ts";
import { MailReceiver } from "../notifications/mail-receiver.ts";
import { databases } from "../provision/databases.ts";
import { findProgram, provideProgram } from "../provision/programs.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

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

interface Run {
  env?: Record<string, string>;
  /** What a test must name otherwise: the folder of backups, the address of another database. */
  edit?: (script: string) => string;
}

/** Runs the commands of a guide unchanged; `npm run <command> --` is the command behind it, without npm. */
async function runCommands(name: string, { env: more = {}, edit = String }: Run = {}) {
  const npm = `npm() { local name=("$2"); [ "$2" = watchfloor ] && name=()
    "${process.execPath}" "${repositoryRoot}/server/main.ts" "\${name[@]}" "\${@:4}"; }`;
  const script = ["set -euo pipefail", npm, edit(blocks(name, "sh").join("\n"))].join("\n");
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
    ...more,
  };
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: folder.path, env });
  return stdout;
}

/** Guides whose commands no test of this file runs, and what runs or checks them instead. */
const runElsewhere: Record<string, string> = {
  client: "e2e/client-package/client-package.test.ts",
  // Docker and systemd: no test has their daemons.
  deploying: "e2e/start/proxies.proof.ts, e2e/docs/compose.test.ts",
  // Checked by systemd-analyze; no test has a desktop.
  displays: "e2e/start/proxies.proof.ts",
  running: "e2e/start/npm-start.test.ts",
  speed: "bench/main.ts",
};

describe("the guides", () => {
  it("have no commands that nothing runs", () => {
    const names = globSync("*.md", { cwd: `${repositoryRoot}/docs/guides` }).map((file) =>
      file.replace(".md", ""),
    );
    const source = readFileSync(import.meta.filename, "utf8");
    const untested = names.filter(
      (name) =>
        blocks(name, "sh").length > 0 &&
        !runElsewhere[name] &&
        !source.includes(`runCommands("${name}"`) &&
        !source.includes(`blocks("${name}", "sh")`),
    );
    expect(untested).toEqual([]);
  });

  it("have commands for backups and restores", async () => {
    const [kind] = databases;
    const targets = await Promise.all([kind?.create(), kind?.create()]);
    const [restored = "", moved = ""] = targets.map((target) => target?.url);
    const output = await runCommands("backup", {
      edit: (script) =>
        script
          .replaceAll("/var/backups", folder.path)
          .replace("npm run restore", `DATABASE_URL='${restored}' npm run restore`)
          .replace(
            /npm run watchfloor -- move --to \S+/,
            `DATABASE_URL='${restored}' npm run watchfloor -- move --to '${moved}'`,
          ),
    });
    expect(output).toMatch(/ holds .*logged change/);
    expect(output).toMatch(/^Moved .*logged change/m);
    expect(output.match(/has to sign in again/g)).toHaveLength(2);
    const upgraded = await runCommands("upgrading", { env: { DATABASE_URL: restored } });
    expect(upgraded).toContain("has to sign in again");
    await Promise.all(targets.map((target) => target?.drop()));
  });

  it("have a command that finds faults", async () => {
    // The Postgres of the tests runs without fsync.
    const edit = (script: string) => script.replace(/doctor$/m, "doctor || true");
    expect(await runCommands("doctor", { edit })).toMatch(/\d faults, \d warnings/);
  });

  it("have a command that sends a test mail", async () => {
    await using mails = await MailReceiver.open();
    // The Postgres of the tests runs without fsync.
    const edit = (script: string) =>
      `set -a\n${script
        .replace(/^SMTP_URL=.*$/m, `SMTP_URL=${mails.environment.SMTP_URL}`)
        .replace(/^PUBLIC_URL=.*$/m, "")
        .replace(/(--mail \S+)$/m, "$1 || true")}`;
    await runCommands("mail", { edit });
    expect(mails.of("you@example.com")).toHaveLength(1);
  });

  it("have commands that import files", async () => {
    const { body } = await owner.call("POST", "/api/v1/tokens", { name: "Imports" });
    writeFileSync(`${folder.path}/incidents.csv`, "number,title\nINC9000001,From a file\n");
    writeFileSync(
      `${folder.path}/incident_event_log.csv`,
      `number,incident_state,made_sla,closed_code,reassignment_count,reopen_count,opened_at
INC9000002,New,true,?,0,0,29-02-2016 01:16
`,
    );
    const output = await runCommands("importing", {
      env: { WATCHFLOOR_TOKEN: String(body.token) },
    });
    // The first of them is the dry run.
    expect(output.match(/1 rows: 1 created/g)).toHaveLength(3);
    expect(output).toContain('"unchanged":1');
  });

  it("have commands that erase a user and values of a record", async () => {
    const values = { name: "Ana López", email: "ana@example.com" };
    await owner.call("POST", "/api/v1/tables/people/records", { record: "ana.lopez", values });
    const user = { name: "Ana López", email: "ana@example.com", role: "editor" };
    await owner.call("POST", "/api/v1/users", user);
    await runCommands("erasure");
    const { body } = await owner.call("GET", "/api/v1/tables/people/records/ana.lopez");
    expect(body.values).toMatchObject({ name: "[erased]", email: null });
    const { body: users } = await owner.call("GET", "/api/v1/users");
    expect(JSON.stringify(users)).not.toContain("ana@example.com");
  });

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
    symlinkSync(`${repositoryRoot}/node_modules`, `${folder.path}/node_modules`);
    const { verify } = (await import(path)) as {
      verify: (secret: string, headers: Record<string, string>, body: string) => unknown;
    };
    const secret = String(made.secret);
    const seconds = Math.floor(Date.now() / 1_000);
    const [first, second] = [
      signedHeaders([createSecret(), secret], { id: "msg_1", seconds, body }),
    ].flatMap((headers) => [headers, { ...headers, "webhook-id": "msg_2" }]);
    expect(verify(secret, first ?? {}, body)).toEqual(JSON.parse(body));
    expect(() => verify(secret, first ?? {}, `${body} `)).toThrow("No matching signature");
    expect(() => verify(secret, second ?? {}, body)).toThrow("No matching signature");
    const old = signedHeaders([secret], { id: "msg_1", seconds: seconds - 600, body });
    expect(() => verify(secret, old, body)).toThrow("too old");
  });

  it("have commands for the model and its file that work unchanged", async () => {
    expect(await runCommands("model")).toContain("Nothing would change");
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
