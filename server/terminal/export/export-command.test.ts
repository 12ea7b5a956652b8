import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../e2e/harness/run-command.ts";
import { runProgram } from "../../../e2e/harness/run-program.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { repositoryRoot } from "../../../e2e/suite/run-tool.ts";
import { serveTests } from "../../http/testing/test-server.ts";

const { server, owner } = await serveTests("service-desk");
let folder: TempFolder;
let token: string;

beforeAll(async () => {
  folder = await tempFolder();
  token = String((await owner.call("POST", "/api/v1/tokens", { name: "Export" })).body.token);
  for (const name of ["Night", "Day"]) {
    await owner.call("POST", "/api/v1/tables/groups/records", { values: { name } });
  }
});
afterAll(async () => {
  folder.drop();
});

const environment = () => ({
  PUBLIC_URL: server.origin,
  WATCHFLOOR_TOKEN: token,
  INIT_CWD: folder.path,
});
const run = (...args: string[]) => runCommand(["export", ...args], environment());
/** As a program, whose output is a stream of its own. */
const runToOutput = (...args: string[]) => runProgram(["export", ...args, "-"], environment());
const file = (name: string) => readFileSync(`${folder.path}/${name}`, "utf8");

describe("watchfloor export", () => {
  it("writes a table to a file that only its owner may read, or to the terminal", async () => {
    const query = ["--table", "groups", "--fields", "name", "--sort", "name"];
    const { code, out, err } = await run(...query, "groups.csv");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe("groups.csv is written.\n");
    expect(file("groups.csv")).toMatch(/^\uFEFFid,name\r?\nDay,Day\r?\nNight,Night/);
    expect(statSync(`${folder.path}/groups.csv`).mode & 0o777).toBe(0o600);
    const filter = JSON.stringify({ field: "name", op: "eq", value: "Day" });
    const lines = await runToOutput(...query, "--filter", filter, "--format", "jsonl");
    expect(JSON.parse(lines.out)).toMatchObject({ id: "Day", values: { name: "Day" } });
  });

  it("writes a view with its order and columns, and finds it by name", async () => {
    const view = {
      table: "groups",
      name: "By name",
      shared: false,
      filter: null,
      sort: ["-name"],
      columns: [{ field: "email" }, { field: "description", hidden: true }],
      group: null,
    };
    const { status } = await owner.call("POST", "/api/v1/views", view);
    expect(status).toBe(201);
    expect((await run("--view", "By name", "view.csv")).code).toBe(0);
    const [head = "", first = ""] = file("view.csv").split(/\r?\n/);
    expect(head).toMatch(/^\uFEFFid,email,name/);
    expect(head).not.toContain("description");
    expect(first).toMatch(/^Night,/);
  });

  it("writes to another program without a byte order mark", async () => {
    const { code, out } = await runToOutput("--table", "groups");
    expect([code, out.slice(0, 3)]).toEqual([0, "id,"]);
  });

  it("ends without a word when nobody reads its output, as does the export of the model", async () => {
    for (const args of [
      ["export", "--table", "groups", "-"],
      ["model", "export", "-"],
    ]) {
      const child = spawn(process.execPath, [`${repositoryRoot}/server/main.ts`, ...args], {
        env: { PATH: process.env.PATH, ...environment() },
      });
      child.stdout.destroy();
      const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
      expect([code, err], args.join(" ")).toEqual([141, ""]);
    }
  });

  it("says why nothing was written, and leaves no file", async () => {
    for (const [args, said] of [
      [["out.csv"], "Name a table"],
      [["--table", "groups"], "Name a file"],
      [["--view", "Nothing", "out.csv"], 'There is no view "Nothing"'],
      [["--table", "groups", "--labels", "out.jsonl"], "--labels is for CSV"],
      [["--table", "groups", "--format", "xlsx", "out.csv"], "--format is csv or jsonl"],
      [["--table", "nothing", "out.csv"], ""],
      [["--table", "groups", "--filter", "{", "out.csv"], ""],
      [["--table", "groups", "--format", "csv", "."], ". is not a regular file. Name another one"],
    ] as const) {
      const { code, out, err } = await run(...args);
      expect([code, out], args.join(" ")).toEqual([2, ""]);
      expect(err).toContain(said);
    }
    expect(existsSync(`${folder.path}/out.csv`)).toBe(false);
    expect(existsSync(`${folder.path}/out.csv.partial`)).toBe(false);
  });
});
