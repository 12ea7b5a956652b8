import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineProxy } from "../../../e2e/harness/line-proxy.ts";
import { runCommand } from "../../../e2e/harness/run-command.ts";
import { runProgram } from "../../../e2e/harness/run-program.ts";
import { until } from "../../../e2e/harness/until.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { ownerCredentials, serveTests } from "../../http/testing/test-server.ts";

const { server, owner } = await serveTests("service-desk", { MUTATION_MAX_OPS: "50" });
const database = new pg.Client({ connectionString: server.adminUrl });
let folder: TempFolder;

beforeAll(async () => {
  await database.connect();
  folder = await tempFolder();
});
afterAll(async () => {
  folder.drop();
  await database.end();
});

/** Runs the command as npm does: with the caller's folder in INIT_CWD. */
async function runCli(args: string[], environment: Record<string, string> = {}) {
  const called = { INIT_CWD: folder.path, ...environment };
  const { code, out, err } = await runCommand(["import", ...args], called);
  return { code, output: out + err };
}

const total = async () =>
  (await owner.call("GET", "/api/v1/tables/incidents/records?limit=0")).body.total;

describe("watchfloor import", () => {
  it("imports a file from the caller's folder, as that user, and prints the outcome", async () => {
    await writeFile(`${folder.path}/some.csv`, "Nr,State\nCLI1,New\nCLI2,Asleep\n");
    const args = ["--table", "incidents", "--map", "Nr=number", "--url", server.origin];
    const caller = {
      WATCHFLOOR_EMAIL: ownerCredentials.email,
      WATCHFLOOR_PASSWORD: ownerCredentials.password,
    };
    const rejects = ["--rejects", "some-rejected.csv"];
    const { code, output } = await runCli([...args, ...rejects, "some.csv"], caller);
    expect(output).toContain("2 rows: 1 created, 0 updated, 0 unchanged, 1 failed");
    expect(output).toContain("columns separated by ,\n");
    const rejected = await readFile(`${folder.path}/some-rejected.csv`, "utf8");
    expect(rejected).toMatch(/3,.*CLI2,Asleep/);
    expect(output).toMatch(/\/changes\/\S+/);
    expect(output).toContain("line 3 · state · option");
    expect(code).toBe(1);
    const token = owner.token() ?? "";
    const keyed = [...args, "--key", "number", `--token=${token}`, "--dry-run", "some.csv"];
    const second = await runCli(keyed);
    expect(second.output).toContain(
      "dry run, nothing changed: 2 rows: 0 created, 0 updated, 1 unch",
    );
  });

  it("prints nothing of a file that commands the terminal", async () => {
    const command = "\u001b]0;owned\u0007";
    await writeFile(`${folder.path}/evil.csv`, `number,${command},state\nCLIE1,x,${command}\n`);
    const token = `--token=${owner.token()}`;
    const args = ["--table", "incidents", "--url", server.origin, token, "--dry-run", "evil.csv"];
    const { output } = await runCli(args);
    expect(output).toContain("owned");
    expect(output).not.toContain("\u001b");
    expect(output).not.toContain("\u0007");
  });

  it("makes a draft of a file, and writes its rejected rows to another", async () => {
    await writeFile(
      `${folder.path}/draft.csv`,
      "number,state\nCLID1,New\nCLID1,New\nCLID2,Asleep\n",
    );
    const created = await owner.call("POST", "/api/v1/tokens", { name: "Nightly import" });
    const token = String(created.body.token);
    const caller = ["--url", server.origin, `--token=${token}`, "--table", "incidents"];
    const draft = ["--key", "number", "--draft", "--rejects", "rejected.csv", "draft.csv"];
    const before = await total();
    const { code, output } = await runCli([...caller, ...draft]);
    expect(output).toContain("3 rows: 1 to create, 0 to update, 0 unchanged, 1 superseded, 1 rej");
    expect(code).toBe(1);
    expect(await readFile(`${folder.path}/rejected.csv`, "utf8")).toMatch(/4,.*CLID2,Asleep/);
    expect(await total()).toBe(before);
    const [, id] = /changes\/(\S+)/.exec(output) ?? [];
    const set = await owner.call("GET", `/api/v1/change-sets/${id}`);
    expect(set.body).toMatchObject({ state: "draft", title: "draft.csv", counts: { create: 1 } });
  });

  it("keeps the draft, and says so, where the rejected rows can't be written", async () => {
    await writeFile(`${folder.path}/cli.csv`, "number,state\nCLIK1,New\nCLIK2,Asleep\n");
    const token = owner.token() ?? "";
    const caller = ["--url", server.origin, `--token=${token}`, "--table", "incidents"];
    const rejects = ["--draft", "--rejects", "nowhere/rejected.csv", "cli.csv"];
    const { code, output } = await runCli([...caller, ...rejects]);
    expect(output).toContain("2 rows: 1 to create, 0 to update, 0 unchanged, 0 superseded, 1 rej");
    expect(output).toMatch(/could not be written to \S*nowhere\/rejected.csv: ENOENT/);
    expect(code).toBe(1);
    const [, id] = /changes\/(\S+)/.exec(output) ?? [];
    const set = await owner.call("GET", `/api/v1/change-sets/${id}`);
    expect(set.body).toMatchObject({ state: "draft", counts: { create: 1 } });
    const direct = await runCli([...caller, "--rejects", "nowhere/rejected.csv", "cli.csv"]);
    expect(direct.output).toContain("2 rows: 1 created, 0 updated, 0 unchanged, 1 failed");
    expect(direct.output).toContain("nowhere/rejected.csv: ENOENT");
    expect(direct.code).toBe(1);
  });

  it.each([
    [["--table", "incidents", "--dry-run", "--rejects", "r.csv", "x.csv"], /use --draft/],
    [["--table", "incidents"], /Say which file/],
    [["x.csv"], /Say which table/],
    [["--table", "incidents", "x.csv"], /Sign in with/],
    [["--table", "incidents", "--token", "t", "x.csv"], /There is no file x.csv/],
    [["--colour", "red"], /colour/],
  ])("with %o says what is missing", async (args, sentence) => {
    const { code, output } = await runCli(args);
    expect(output).toMatch(sentence);
    expect(code).toBe(2);
  });
});

describe("an import that is cut off", () => {
  /** Rows of files that are being read. */
  const rowsRead = async () => {
    const { rows } = await database.query(
      "select count(*)::int as count from watchfloor.change_set_op where status is null",
    );
    return Number(rows[0].count);
  };

  it("has changed nothing, and can be repeated", async () => {
    const before = Number(await total());
    const rows = Array.from({ length: 2_000 }, (_, n) => `CUT${n},title ${n}`);
    const csv = `number,title\n${rows.join("\n")}\n`;
    const path = "/api/v1/tables/incidents/imports";
    const sending = request(`${server.origin}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" },
    });
    sending.on("error", () => {});
    const stored = await rowsRead();
    sending.write(csv.slice(0, csv.length * 0.75));
    await until("a part is read", 60_000, async () => (await rowsRead()) > stored);
    sending.destroy();
    await until("the part is removed", 60_000, async () => (await rowsRead()) === stored);
    expect(await total()).toBe(before);
    const answer = await owner.call("POST", path, csv, { "content-type": "text/csv" });
    expect(answer.body).toMatchObject({ rows: 2_000, created: 2_000, failed: 0 });
    expect(await total()).toBe(before + 2_000);
    expect(server.log.join("\n")).not.toContain("unforeseen failure");
  });

  it("ends when the server vanishes while it takes the file, also for a draft", async () => {
    await using line = await LineProxy.start(Number(new URL(server.origin).port));
    const notes = "more than the connection buffers ".repeat(100);
    const rows = Array.from({ length: 10_000 }, (_, n) => `VANISH${n},${notes}`);
    await writeFile(`${folder.path}/large.csv`, `number,notes\n${rows.join("\n")}\n`);
    const stored = await rowsRead();
    const args = ["--table", "incidents", "--url", line.url, `--token=${owner.token()}`];
    const ended = [[], ["--draft"]].map((kind) =>
      runProgram(["import", ...args, ...kind, "large.csv"], { INIT_CWD: folder.path }),
    );
    await until("a part is read", 60_000, async () => (await rowsRead()) > stored);
    line.stall();
    for (const { code, err } of await Promise.all(ended)) {
      expect(err).toContain("does not answer (nothing for 30 seconds)");
      expect(code).toBe(2);
    }
  });
});
