import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemDatabase } from "../provision/databases.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";

let folder: TempFolder;
let target: TestDatabase;
let embedded: { DATA_DIR: string; TMPDIR: string };
beforeAll(async () => {
  folder = await tempFolder();
  embedded = { DATA_DIR: join(folder.path, "data"), TMPDIR: folder.path };
  target = await systemDatabase.create();
});
afterAll(async () => {
  await target?.drop();
  folder?.drop();
});

const move = (env: Record<string, string>, ...args: string[]) => runProgram(["move", ...args], env);

/** What a user reads of a server that is started for it, with a session of before or a new one. */
async function contentOf(environment: Record<string, string>, token?: string) {
  await using server = await ServerProcess.start({ environment });
  const session = token ?? (await signIn(server.url, owner)).token;
  const headers = { authorization: `Bearer ${session}` };
  const read = async (path: string) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
    const { records, total } = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, records, total };
  };
  return read("/tables/incidents/records?limit=1000&sort=id");
}

it("moves the embedded installation to another Postgres by one command, and leaves it as it was", async () => {
  let token = "";
  {
    await using server = await ServerProcess.start({ environment: embedded });
    const user = await signIn(server.url, owner);
    token = user.token;
    await user.call("POST", "/tables/incidents/records", { values: { title: "Moves" } });
    const running = await move(embedded, "--to", target.url);
    expect(running).toMatchObject({ code: 1, out: "" });
    expect(running.err).toContain("is already running on");
  }
  const { code, out, err } = await move({ ...embedded, WATCHFLOOR_MOVE_TO: target.url });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Moved 313 records, .*\nSet DATABASE_URL to the other database /);
  expect(out).toContain(`that of DATA_DIR (${embedded.DATA_DIR}), which is as it was.`);

  const before = await contentOf(embedded, token);
  expect(before).toMatchObject({ status: 200, total: 241 });
  const moved = await contentOf({ DATABASE_URL: target.url });
  const values = ({ records }: typeof before) =>
    (records as { id: string; values: object }[]).map((record) => [record.id, record.values]);
  expect(values(moved)).toEqual(values(before));

  const again = await move(embedded, "--to", target.url);
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.err).toMatch(/^The database already has an installation .*--replace/);
  const back = await move(
    { ...embedded, DATABASE_URL: target.url },
    "--to",
    "embedded",
    "--replace",
  );
  expect([back.code, back.err]).toEqual([0, ""]);
  expect(back.out).toContain("Remove DATABASE_URL");
});

it("says why nothing is moved, and creates nothing", async () => {
  const missing = { ...embedded, DATA_DIR: join(folder.path, "missing") };
  const unreachable = "postgres://nobody@127.0.0.1:1/nothing";
  for (const [env, to, code, said] of [
    [embedded, "mysql://host/name", 2, "Name the other database with --to"],
    [missing, target.url, 1, "There is no database in DATA_DIR"],
    [embedded, "embedded", 1, "The installation is in that database already."],
    [embedded, unreachable, 1, "The database of --to can't be used"],
    [{ ...embedded, DATABASE_URL: target.url }, target.url, 1, "in that database already"],
  ] as const) {
    const tried = await move(env, "--to", to);
    expect([tried.code, tried.out], said).toEqual([code, ""]);
    expect(tried.err).toContain(said);
  }
  expect(existsSync(missing.DATA_DIR)).toBe(false);
});
