import { execFile } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MachineLag } from "../harness/machine-lag.ts";
import { owner } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";
import { compile, installClientPackage } from "./install-client-package.ts";

/** A revoked token ends its program within this time. */
const ENDS_WITHIN_MS = 1_000;
/** After its last statement. */
const PROCESS_ENDS_MS = 1_000;
const PRINTS_WITHIN_MS = 60_000;
const strict = "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noEmit";
const flags = `${strict} --module nodenext --target es2024`.split(" ");

let folder: TempFolder;
let installation: TestInstallation;
let token: string;
let tokenId: string;

beforeAll(async () => {
  folder = await tempFolder();
  await installClientPackage(folder.path);
  installation = await TestInstallation.open();
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  folder.drop();
});
beforeEach(async () => {
  const body = { name: "A program" };
  const created = await installation.ownerUser.call<{ id: string; token: string }>(
    "POST",
    "/tokens",
    body,
  );
  token = created.token;
  tokenId = created.id;
});

/** What a version of Node brought, by a pattern for programs that use it. The compiler knows newer ones than the package promises. */
const broughtBy: readonly (readonly [node: number, pattern: RegExp])[] = [
  [21, /\b(Map|Object)\.groupBy\b/],
  [22, /\bArray\.fromAsync\b|\bPromise\.withResolvers\b|\bIterator\.from\b/],
  [22, /\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/],
  [22, /\bnew WebSocket\(/],
  [23, /\bnew CloseEvent\(|\bIntl\.DurationFormat\b|\(\?[ims]+(-[ims]+)?:/],
  [24, /\bPromise\.try\b|\bRegExp\.escape\b|\bError\.isError\b|\bFloat16Array\b|\bURLPattern\b/],
  [24, /\b(Async)?DisposableStack\b|\bimport\.meta\.main\b/],
  [24, /^\s*(await )?using \w+ =/m],
  [
    25,
    /\bMath\.sumPrecise\b|\b(to|from)(Base64|Hex)\(|\bIterator\.concat\b|\.getOrInsert(Computed)?\(/,
  ],
];

/** Runs a program in the folder; what it prints comes line by line as `lines`. */
function run(name: string, text: string) {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  const at = { URL: installation.server.url, WATCHFLOOR_TOKEN: token };
  const env = { PATH: process.env.PATH, NODE_ENV: "production", ...at };
  const lines: string[] = [];
  const warnings: string[] = [];
  const running = promisify(execFile)(process.execPath, [path], { cwd: folder.path, env });
  running.child.stdout?.on("data", (part) =>
    lines.push(...String(part).split("\n").filter(Boolean)),
  );
  running.child.stderr?.on("data", (part) => warnings.push(String(part)));
  return { lines, warnings, done: running };
}

/** What the compiler reports. */
function reportOf(run: () => void): string {
  try {
    run();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const head = `import { connect } from "@watchfloor/client";
const watchfloor = await connect({ url: process.env.URL, token: process.env.WATCHFLOOR_TOKEN });
const incidents = watchfloor.table("incidents");
const print = (value) => console.log(JSON.stringify(value));
`;

describe("the client package", () => {
  it("queries, edits, names conflicts, and shows a live view", async () => {
    const { lines, warnings, done } = run(
      "edits.mjs",
      `${head}
      const view = incidents.live({ filter: { field: "category", op: "eq", value: "package" }, sort: ["title"] });
      view.onChange((records) => print(records.map(({ values }) => values.title)));
      await view.ready();
      const { record } = await incidents.create({ title: "b", category: "package" });
      const { record: first } = await incidents.create({ title: "a", category: "package" });
      const shows = async (matches, count) => {
        while (view.records.filter(matches).length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      await shows(() => true, 2);
      const seen = await incidents.get(record);
      await incidents.update(seen, { title: "c" });
      await shows(({ values }) => values.title === "c", 1);
      await incidents.update(seen, { title: "d" }).catch(({ code, detail }) => print([code, detail.fields.title.theirs]));
      const { total } = await incidents.query({ filter: { field: "id", op: "in", value: [record, first] }, limit: 1 });
      print(["total", total]);
      await incidents.update(await incidents.get(record), { category: "other" });
      await incidents.delete(await incidents.get(first));
      await incidents.update({ id: "none", values: {} }, { title: "x" }).catch(({ name, code }) => print([name, code]));
      print(await incidents.get(first));
      await shows(() => true, 0);
      await watchfloor.close();`,
    );
    await done;
    const printed = lines.map((line) => JSON.parse(line));
    expect(printed[0]).toEqual([]);
    expect(printed).toContainEqual(["a", "b"]);
    expect(printed).toContainEqual(["a", "c"]);
    expect(printed).toContainEqual(["conflict", "c"]);
    expect(printed).toContainEqual(["total", 2]);
    expect(printed).toContainEqual(["WatchfloorError", "not_found"]);
    expect(printed).toContain(null);
    expect(warnings).toEqual([]);
  });

  it("goes on in the log where the last run ended, and ends when its token is revoked", async () => {
    const { ownerUser } = installation;
    const first = run(
      "first.mjs",
      `${head}
      print("ready");
      for await (const { kind, set, position } of incidents.changes()) {
        print([kind, set.title, position]);
        break;
      }
      await watchfloor.close();`,
    );
    await until(
      "the program follows the log",
      PRINTS_WITHIN_MS,
      async () => first.lines.length > 0,
    );
    const create = (title: string) =>
      ownerUser.call("POST", "/tables/incidents/records", { values: { title } });
    await until("the program prints a change", PRINTS_WITHIN_MS, async () => {
      await create("first");
      return first.lines.length > 1;
    });
    await first.done;
    const [kind, , position] = JSON.parse(first.lines[1] as string);
    expect(kind).toBe("insert");
    await create("second");
    const second = run(
      "second.mjs",
      `${head}
      void watchfloor.ended.then(({ code }) => print(["ended", code]));
      try {
        for await (const { set } of incidents.changes(${JSON.stringify(position)})) print(set.title);
      } catch ({ code }) {
        print(["loop", code]);
      }
      await incidents.create({ title: "too late" }).catch(({ code }) => print(["edit", code]));
      await watchfloor.close();`,
    );
    await until("the program reads what it missed", PRINTS_WITHIN_MS, async () =>
      second.lines.includes('"second"'),
    );
    const lag = new MachineLag();
    await ownerUser.call("DELETE", `/tokens/${tokenId}`);
    const revoked = performance.now();
    await second.done;
    const took = performance.now() - revoked;
    expect(took).toBeLessThan(await lag.allowing(ENDS_WITHIN_MS + PROCESS_ENDS_MS));
    expect(second.lines).toEqual(
      expect.arrayContaining(['["ended","session_ended"]', '["loop","session_ended"]']),
    );
    expect(second.lines.at(-1)).toBe('["edit","session_ended"]');
  });

  it("signs in by password, sees and shows who is where, and leaves no session", async () => {
    const { ownerUser, program } = installation;
    const sessions = async () =>
      (await program.query("select id from watchfloor.session order by id")).rows;
    const before = await sessions();
    const { done, lines } = run(
      "presence.mjs",
      `${head}
      const account = { url: process.env.URL, email: "${owner.email}" };
      await connect({ ...account, password: "wrong" }).catch(({ code }) => print(code));
      const other = await connect({ ...account, password: "${owner.password}" });
      print(other.user.email);
      const there = other.table("incidents").presence();
      const here = incidents.presence();
      here.onChange((users) => print(users.map(({ name, record, field, mode }) => [name, record, field, mode])));
      const seen = async (count) => {
        while (here.users.length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      there.set({ record: "${workableIncident(1)}", field: "title", mode: "editing" });
      await seen(1);
      here.set();
      while (there.users.length !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
      there.leave();
      await seen(0);
      here.close();
      await other.close();
      await watchfloor.close();`,
    );
    await done;
    const { name } = ownerUser.info;
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      "unauthenticated",
      owner.email,
      [],
      [[name, workableIncident(1), "title", "editing"]],
      [],
    ]);
    expect(await sessions()).toEqual(before);
  });

  it("refuses a wrong token at once", async () => {
    token = "wf_wrong";
    const { lines, done } = run(
      "wrong.mjs",
      `import { connect, WatchfloorError } from "@watchfloor/client";
      await connect({ url: process.env.URL, token: "wf_wrong" }).catch((error) =>
        console.log(error instanceof WatchfloorError, error.code));`,
    );
    await done;
    expect(lines).toEqual(["true session_ended"]);
  });

  it("writes types of the model, by which wrong fields, values and transitions don't compile", async () => {
    const command = join(
      folder.path,
      "node_modules/@watchfloor/client/dist/client/package/command.js",
    );
    const args = [command, "types", "--url", installation.server.url, "--token", token];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    writeFileSync(join(folder.path, "tables.ts"), stdout);
    const wrong = [
      `await incidents.update(record, { titel: "x" });`,
      `await incidents.update(record, { impact: "9" });`,
      `await incidents.transition(record, "explode", { from: "New" });`,
      `watchfloor.table("nothing");`,
      `incidents.presence().set({ field: "sla" });`,
      `await incidents.update(record, { state: "Resolved" });`,
      `await incidents.update(record, { reassignments: "three" });`,
      `await incidents.update(record, { opened_at: "yesterday" });`,
      `await watchfloor.table("people").create({ phone: "no name" });`,
      `await incidents.transition(record, "resolve", { from: "Solved" });`,
      `await incidents.query({ sort: ["-urgencyy"] });`,
      `await incidents.query({ filter: { field: "titel", op: "eq", value: "x" } });`,
      `await incidents.query({ filter: { field: "impact", op: "eq", value: "9" } });`,
      `await incidents.query({ filter: { field: "title", op: "like", value: "x" } });`,
      `await incidents.query({ filter: { field: "reassignments", op: "gt", value: "many" } });`,
      `await incidents.query({ filter: { and: [{ field: "opened_at", op: "contains", value: "2" }] } });`,
      `await incidents.query({ filter: { not: { field: "title", op: "between", value: "a" } } });`,
      `incidents.live({ filter: { field: "state", op: "in", value: ["Open"] } });`,
      `incidents.live({ sort: ["nothing"] });`,
    ];
    const lines = [
      `import { connect } from "@watchfloor/client";`,
      `import type { Tables } from "./tables.js";`,
      `const watchfloor = await connect<Tables>({ url: "", token: "" });`,
      `const incidents = watchfloor.table("incidents");`,
      `const record = await incidents.get("x");`,
      "if (!record) throw new Error();",
      `await incidents.update(record, { title: "x", impact: "1 - High", reassignments: 3 });`,
      "const title: string | null = record.values.title;",
      `await incidents.transition(record, "resolve", { from: "New", set: { resolution_code: title } });`,
      `await incidents.create({ title: "x", state: "New", opened_at: new Date() });`,
      `await incidents.update(record, { opened_at: "2026-11-29T10:00:00Z", reassignments: "9007199254740993" });`,
      `const mine = { field: "assignee", op: "eq", value: "$me" } as const;`,
      `const old = { field: "opened_at", op: "lt", value: { ago: "4h" } } as const;`,
      `const since = { field: "opened_at", op: "between", value: [new Date(0), "$now"] } as const;`,
      `await incidents.query({ filter: { or: [mine, old, since] }, sort: ["-opened_at", "id"] });`,
      `await incidents.query({ filter: { field: "state", op: "in", value: ["New", "Active"] } });`,
      `await incidents.query({ filter: { field: "notes", op: "isEmpty", value: false } });`,
      `await incidents.query({ filter: { field: "reassignments", op: "gte", value: { field: "reopenings" } } });`,
      `await watchfloor.table("people").create({ name: "x" });`,
      `if (record.values.state) await incidents.transition(record, "close", { from: record.values.state });`,
      "const untyped = (await connect({ url: '', token: '' })).table('anything');",
      `await untyped.create({ whatever: 1 });`,
      `await untyped.query({ filter: { field: "x", op: "eq", value: 1 }, sort: ["-x"] });`,
    ];
    writeFileSync(join(folder.path, "typed.mts"), [...lines, ...wrong].join("\n"));
    // One run of the compiler for all of them: it reports each wrong line, and no other.
    const reported = reportOf(() => compile([...flags, "typed.mts"], folder.path));
    const errors = [...reported.matchAll(/^typed\.mts\((\d+),\d+\): (.*)/gm)];
    expect(errors.map(([, line]) => Number(line))).toEqual(
      wrong.map((_, n) => lines.length + n + 1),
    );
    for (const [n, name] of ["titel", '"9"', "explode", "nothing", "sla", "state"].entries()) {
      expect(errors[n]?.[2]).toContain(name);
    }
  });

  it("uses nothing that is newer than the oldest Node that it promises to run on", () => {
    const installed = join(folder.path, "node_modules/@watchfloor/client");
    const { engines } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const oldest = Number(/^>=(\d+)$/.exec(engines.node)?.[1]);
    const files = globSync("dist/**/*.js", { cwd: installed });
    expect(files.length).toBeGreaterThan(50);
    const used = (newer: (node: number) => boolean) =>
      files.flatMap((file) => {
        const text = readFileSync(join(installed, file), "utf8");
        const found = broughtBy.filter(([node, pattern]) => newer(node) && pattern.test(text));
        return found.map(([node, pattern]) => `${file}: Node ${node}, ${pattern.exec(text)?.[0]}`);
      });
    expect(used((node) => node > oldest)).toEqual([]);
    // It would be seen: Node 20 lacks something that is used.
    expect(used((node) => node > 20)).not.toEqual([]);
  });

  it.each([
    ["README.md", /critical incidents/],
    ["client/package/README.md", /sees 0 others[\s\S]*Looked at by a program/],
  ])("has an example in %s that works", async (file, printed) => {
    const readme = readFileSync(join(repositoryRoot, file), "utf8");
    const [, example = ""] = /^```js\n([\s\S]*?)^```/m.exec(readme) ?? [];
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    const { lines, done } = run(
      "example.mjs",
      example.replace('"http://localhost:3000"', "process.env.URL"),
    );
    const hasPrinted = () => printed.test(lines.join("\n"));
    await until("the example prints what it saw", PRINTS_WITHIN_MS, async () => hasPrinted());
    done.child.kill();
    await done.catch(() => undefined);
    expect(lines.join("\n")).toMatch(printed);
  });
});
