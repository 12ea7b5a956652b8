// Covers: client/package server/terminal server/auth
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installClientPackage } from "../client-package/install-client-package.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { runProgram } from "../harness/run-program.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { generateClient, packagesFolder, storeDocument } from "../openapi/generate-client.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

/** A revoked token ends every program that uses it within this time. */
const ENDS_WITHIN_MS = 1_000;
const STARTS_WITHIN_MS = 60_000;
const FILE_ROWS = 15_000;

let installation: TestInstallation;
let folder: TempFolder;
let packages: ReturnType<typeof packagesFolder>;
beforeAll(async () => {
  folder = await tempFolder();
  packages = packagesFolder();
  installation = await TestInstallation.open();
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  folder.drop();
  packages.drop();
});

/** Keeps a copy of a table by the change log, with nothing but HTTP. */
const syncScript = `
const call = async (path) => {
  const headers = { authorization: "Bearer " + process.env.WATCHFLOOR_TOKEN };
  const answer = await fetch(process.env.PUBLIC_URL + "/api/v1" + path, { headers });
  const body = await answer.json();
  if (answer.ok) return body;
  console.log(body.code + ": " + body.message);
  process.exit(1);
};
const copy = new Map();
let position = "start";
for (;;) {
  const { items, epoch, seq } = await call("/changes?table=groups&limit=1000&after=" + position);
  for (const { kind, record, set } of items) {
    if (kind === "delete") copy.delete(record);
    else copy.set(record, { ...copy.get(record), ...set });
  }
  position = epoch + "." + seq;
  if (items.length > 0) console.log("copied " + copy.size);
  else await new Promise((go) => setTimeout(go, 50));
}`;

/** Follows the same table by the client package, until it is over. */
const packageScript = `
import { connect } from "@watchfloor/client";
const { PUBLIC_URL: url, WATCHFLOOR_TOKEN: token } = process.env;
const watchfloor = await connect({ url, token });
try {
  for await (const { record } of watchfloor.table("groups").changes()) console.log(record);
} catch ({ code, message }) {
  console.log(code + ": " + message);
}
await watchfloor.close();
process.exit(1);`;

class Program {
  text = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<number>;

  constructor(args: readonly string[], env: Record<string, string>) {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.#child = spawn(process.execPath, args, {
      cwd: folder.path,
      env: { PATH, NODE_COMPILE_CACHE, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (part) => {
        this.text += String(part);
      });
    }
    this.#ended = once(this.#child, "close").then(() => performance.now());
  }

  started(mark: RegExp): Promise<unknown> {
    return until(`a program prints ${mark}`, STARTS_WITHIN_MS, () => mark.test(this.text));
  }

  /** The time when it ended. */
  ended(): Promise<number> {
    return this.#ended;
  }
}

it("a service account's token drives four kinds of programs, and ends them all when it is revoked", async () => {
  const { server, ownerUser } = installation;
  const service = await addUser(server.url, ownerUser, "Service account", "admin");
  const { id, token } = await addToken(service, { role: "admin" });
  const env = { PUBLIC_URL: server.url, WATCHFLOOR_TOKEN: token, INIT_CWD: folder.path };
  await installClientPackage(folder.path);
  writeFileSync(join(folder.path, "sync.mjs"), syncScript);
  writeFileSync(join(folder.path, "package.mjs"), packageScript);
  const rows = Array.from({ length: FILE_ROWS }, (_, n) => `Imported ${n},import`);
  writeFileSync(join(folder.path, "incidents.csv"), `title,subcategory\n${rows.join("\n")}\n`);
  const document = await storeDocument(packages.path, server.url, token);
  const client = await generateClient(packages.path, document);

  const main = join(repositoryRoot, "server/main.ts");
  const imported = new Program([main, "import", "--table", "incidents", "incidents.csv"], env);
  const importedRows = async () =>
    (await ownerUser.page("incidents", `limit=0&search=${encodeURIComponent("Imported ")}`)).total;
  // All rows are read and checked before the first is applied.
  await until("the import has begun", STARTS_WITHIN_MS, async () => (await importedRows()) > 100);
  const sync = new Program(["sync.mjs"], env);
  const followed = new Program(["package.mjs"], env);
  const generated = new Program([join(client, "edit-until-refused.ts"), server.url, token], env);
  await generated.started(/Made by/);
  await sync.started(/copied \d{2}/);
  await followed.started(/Made by/);
  const exported = await runProgram(["export", "--table", "groups", "-"], env);
  expect(exported.out).toContain("Made by a generated client");

  const lag = new MachineLag();
  await ownerUser.call("DELETE", `/tokens/${id}`);
  const revoked = performance.now();
  const programs = [sync, generated, followed, imported];
  const times = await Promise.all(programs.map(async (one) => (await one.ended()) - revoked));
  expect(Math.max(...times)).toBeLessThan(await lag.allowing(ENDS_WITHIN_MS));
  for (const { text } of [sync, generated, followed]) {
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^session_ended: .*API token.*revoked/);
  }
  expect(imported.text).toMatch(/token.*revoked/);
  const afterwards = await importedRows();
  expect(afterwards).toBeLessThan(FILE_ROWS);
  const refused = await runProgram(["export", "--table", "groups", "-"], env);
  expect([refused.code, refused.out]).toEqual([2, ""]);
  expect(refused.err).toMatch(/token.*revoked/);
  expect(await importedRows()).toBe(afterwards);
});
