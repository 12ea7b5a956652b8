import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../e2e/harness/run-command.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import type { Field, Model, Table } from "../../../shared/model/model.ts";
import { ownerCredentials, serveTests } from "../../http/testing/test-server.ts";

const { server, owner } = await serveTests("empty");
let token: string;
let folder: TempFolder;

beforeAll(async () => {
  const { body } = await owner.call("POST", "/api/v1/tokens", { name: "Deployment" });
  token = String(body.token);
  folder = await tempFolder();
});
afterAll(async () => {
  folder.drop();
});

/** Runs the command as npm does: with the caller's folder in INIT_CWD. */
async function model(...args: string[]) {
  const called = { INIT_CWD: folder.path, WATCHFLOOR_TOKEN: token, PUBLIC_URL: server.origin };
  const { code, out, err } = await runCommand(["model", ...args], called);
  return { code, output: out + err };
}

const path = () => `${folder.path}/model.json`;
const file = async () => JSON.parse(await readFile(path(), "utf8")) as Model;
async function change(edit: (things: Table, model: Model) => void) {
  const document = await file();
  edit(document.tables[0] as Table, document);
  await writeFile(path(), JSON.stringify(document, null, 2));
}
const things: Table = {
  name: "things",
  label: "Things",
  recordLabel: "thing",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "size", label: "Size", type: "integer" },
  ],
  columns: ["title"],
  sort: [],
};
const version = async () => (await owner.call("GET", "/api/v1/model")).body.version;

describe("npm run model", () => {
  it("ends the session that it opened, and never that of a given token", async () => {
    const sessions = async () =>
      ((await owner.call("GET", "/api/v1/me/sessions")).body.items as object[]).length;
    const before = await sessions();
    const { email, password } = ownerCredentials;
    const signedIn = await model("export", "--token", "", "--email", email, "--password", password);
    expect(signedIn.code).toBe(0);
    expect(await sessions()).toBe(before);
    expect((await model("export")).code).toBe(0);
    expect(await sessions()).toBe(before);
  });

  it("exports the published model, also if there is none yet", async () => {
    expect(await model("export", "model.json")).toEqual({
      code: 0,
      output: "model.json holds version 0.\n",
    });
    expect(await file()).toEqual({ version: 0, tables: [] });
  });

  it("shows the plan of a file in words and changes nothing without --yes", async () => {
    await change((_, document) => document.tables.push(things));
    const shown = await model("apply", "model.json", "--sql");
    expect(shown.output).toContain("- Create the table Things with 2 fields.");
    expect(shown.output).toContain('create table "things"');
    expect(shown.output).toContain("Publish it with --yes.");
    expect([shown.code, await version()]).toEqual([0, 0]);
    const applied = await model("apply", "model.json", "--yes");
    expect(applied.output).toContain("Version 1 is published.");
    expect([applied.code, await version(), (await file()).version]).toEqual([0, 1, 1]);
  });

  it("exports the same file for the same model", async () => {
    await model("export", "model.json");
    const exported = await readFile(path(), "utf8");
    expect((await file()).tables[0]?.fields[0]).toEqual({ id: "title", ...things.fields[0] });
    const repeated = await model("apply", "model.json", "--yes");
    expect(repeated).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Nothing would change/),
    });
    await model("export", "again.json");
    expect(await readFile(`${folder.path}/again.json`, "utf8")).toBe(exported);
  });

  it("loses nothing without confirmation", async () => {
    await owner.call("POST", "/api/v1/tables/things/records", { values: { title: "A", size: 1 } });
    await change((table) => {
      table.fields = table.fields.slice(0, 1);
    });
    const refused = await model("apply", "model.json", "--yes");
    expect(refused.output).toContain("LOSES: Values of Size in 1 record would be deleted.");
    expect([refused.code, await version()]).toEqual([1, 1]);
    expect((await model("apply", "model.json", "--confirm=lossy")).code).toBe(0);
    expect(await version()).toBe(2);
  });

  it("does not overwrite others' changes of the model without --onto", async () => {
    const current = (await owner.call("GET", "/api/v1/model/versions/current")).body;
    const theirs = current.document as Model;
    (theirs.tables[0] as Table).label = "Their things";
    await owner.call("PUT", "/api/v1/model", theirs);
    await change((table) => {
      table.label = "My things";
    });
    const refused = await model("apply", "model.json", "--yes");
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/version 3 was published/),
    });
    expect((await model("apply", "model.json", "--yes", "--onto=current")).code).toBe(0);
    expect([await version(), (await file()).version]).toEqual([4, 4]);
  });

  it("reports the places where a file is invalid", async () => {
    await change((table) => {
      (table.fields[0] as Field).expression = "size * 2";
    });
    const { code, output } = await model("apply", "model.json", "--yes");
    expect(output).toContain('- tables.0.fields.0.expression: There is no field "size".');
    expect(code).toBe(1);
  });

  it.each([
    [[], 2, /Say export or apply/],
    [["apply"], 2, /Say which file to apply/],
    [["apply", "x.json"], 2, /x.json can't be read/],
    [["apply", "text.json"], 2, /text.json is no JSON/],
    [["apply", "odd.json"], 1, /^body\.tables/],
    [["apply", "model.json", "--confirm=all"], 2, /can only be lossy/],
    [["export", "--url", "http://127.0.0.1:9"], 2, /does not answer/],
    [["export", "--token", "nobody"], 2, /API token is not valid/],
  ])("with %o says what is missing", async (args, status, sentence) => {
    await writeFile(`${folder.path}/text.json`, "tables: []");
    await writeFile(`${folder.path}/odd.json`, '{"tables":{}}');
    const { code, output } = await model(...args);
    expect(output).toMatch(sentence);
    expect(code).toBe(status);
  });
});
