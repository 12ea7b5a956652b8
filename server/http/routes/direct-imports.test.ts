import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import type { ChangeSetInfo } from "../../../shared/protocol/change-sets.ts";
import { counts, importCalls } from "../testing/import-calls.ts";
import { serveTests } from "../testing/test-server.ts";

const { server, owner } = await serveTests("service-desk", { MUTATION_MAX_OPS: "3" });
const { imported, byNumber } = importCalls(owner);
const database = new pg.Client({ connectionString: server.adminUrl });
let serial = 0;
beforeAll(() => database.connect());
afterAll(() => database.end());

beforeEach(() => {
  serial += 1;
});

describe("the change set of a direct import", () => {
  const api = "/api/v1/change-sets";
  const readRows = async () => {
    const { rows } = await database.query(
      `select count(*)::int as count from watchfloor.change_set_op o
       join watchfloor.change_set s on s.id = o.change_set where s.state = 'writing'`,
    );
    return Number(rows[0].count);
  };
  const setOf = async (id: unknown) => (await owner.call("GET", `${api}/${id}`)).body;

  it("G9 has every rejected row as a file, and is reverted as one", async () => {
    const n = `D${serial}`;
    const bad = Array.from({ length: 250 }, (_, at) => `${n}x${at},nobody`);
    const csv = `number,caller\n${n}a,\n${bad.join("\n")}\n${n}b,\n`;
    const report = await imported(csv);
    expect(counts(report)).toEqual([2, 0, 0, 250]);
    expect(report.errors).toHaveLength(200);
    const set = await setOf(report.changeSet);
    expect(set).toMatchObject({
      ...{ state: "applied", origin: "import", isOwn: true, title: null, table: "incidents" },
      ...{ counts: { create: 2, update: 0, delete: 0 }, progress: { total: 2, applied: 2 } },
      import: { table: "incidents", isComplete: true, rows: 252, failed: 250 },
    });
    const rejects = await owner.call("GET", `${api}/${report.changeSet}/rejects.csv`);
    const lines = String(rejects.body.text).trim().split(/\r?\n/);
    expect(lines).toHaveLength(251);
    expect(lines[250]).toMatch(new RegExp(`^252,.*caller.*,${n}x249,nobody$`));
    const { body: preview } = await owner.call("GET", `${api}/${report.changeSet}/preview`);
    expect(preview).toMatchObject({ total: 2, items: [{ after: { number: `${n}a` } }, {}] });
    const { body: back } = await owner.call("POST", `${api}/${report.changeSet}/revert`);
    await owner.call("POST", `${api}/${back.id}/apply`, {});
    expect(await byNumber(`${n}a`)).toEqual([]);
    expect(await setOf(report.changeSet)).toMatchObject({ state: "reverted" });
  });

  it("G9 shows the columns of a damaged header as far as they can be stored", async () => {
    const n = `H${serial}`;
    const report = await imported(`number,caller,o\0dd\n${n},nobody,x\n`);
    expect(counts(report)).toEqual([0, 0, 0, 1]);
    const rejects = await owner.call("GET", `${api}/${report.changeSet}/rejects.csv`);
    expect(String(rejects.body.text)).toContain("line,reason,number,caller,o\u{FFFD}dd");
  });

  it("G9 has an ambiguous row among the rejected ones, as it is written, and creates the others", async () => {
    const n = `Q${serial}`;
    const csv = `number,title\n${n}a,27"\n${n}b, "one, two"\n${n}c,"27 screen\n${n}d,"x"\n`;
    const report = await imported(csv);
    expect(counts(report)).toEqual([2, 0, 0, 2]);
    expect(report.errors).toMatchObject([
      { line: 3, rule: "quotes" },
      { line: 4, rule: "quotes" },
    ]);
    const rejects = await owner.call("GET", `${api}/${report.changeSet}/rejects.csv`);
    expect(String(rejects.body.text)).toContain(`,"${n}b, ""one, two"""\r\n`);
    expect((await byNumber(`${n}d`)).map(({ values }) => values.title)).toEqual(["x"]);
    expect((await byNumber(`${n}a`)).map(({ values }) => values.title)).toEqual(['27"']);
  });

  it("G9 is none where the file changes nothing, and in a dry run", async () => {
    const csv = `number,title\nE${serial},once\n`;
    expect((await imported(csv)).changeSet).toEqual(expect.any(String));
    expect((await imported(csv, { key: "number" })).changeSet).toBeNull();
    expect((await imported(csv, { dryRun: "true" })).changeSet).toBeNull();
  });

  it("G9 changes nothing before the file was read, and nothing of a damaged one; then it is stopped like any set", async () => {
    const n = `S${serial}`;
    let send: (text: string | null) => void = () => {};
    const body = new ReadableStream({
      start: (controller) => {
        const encoder = new TextEncoder();
        send = (text) => (text ? controller.enqueue(encoder.encode(text)) : controller.close());
      },
    });
    const row = (at: number) => `${n}-${at},x,${at % 4 === 3 ? "many" : 1}\n`;
    const rows = (from: number) =>
      Array.from({ length: 1_200 }, (_, at) => row(from + at)).join("");
    const headers = { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" };
    const request = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const answered = fetch(`${server.origin}/api/v1/tables/incidents/imports`, request);
    // As many as decide the formats of a file.
    send(`number,title,reassignments\n${rows(0)}`);
    await until("a batch is read", 60_000, async () => (await readRows()) >= 100);
    expect(await byNumber(`${n}-0`)).toEqual([]);
    expect((await owner.call("GET", api)).body.items).not.toContainEqual(
      expect.objectContaining({ state: expect.stringMatching(/draft|applying/) }),
    );
    send(rows(1_200));
    send(null);
    const listed = async () => {
      const { items } = (await owner.call("GET", `${api}?state=applying`)).body;
      return (items as { id: string; progress: { applied: number } }[])[0];
    };
    await until(
      "a batch is applied",
      180_000,
      async () => Number((await listed())?.progress.applied) >= 3,
    );
    const { id } = (await listed()) as { id: string };
    await owner.call("POST", `${api}/${id}/cancel`);
    const answer = (await (await answered).json()) as object;
    expect(answer).toMatchObject({ code: "conflict", state: "cancelled" });
    const set = (await setOf(id)) as unknown as ChangeSetInfo;
    expect(set).toMatchObject({
      state: "cancelled",
      import: { isComplete: true, rows: 2_400, created: 1_800, failed: 600 },
    });
    const { text } = (await owner.call("GET", `${api}/${id}/rejects.csv`)).body;
    expect(String(text).trim().split("\n").length - 1).toBe(600);
    expect(await byNumber(`${n}-0`)).toHaveLength(1);
    expect(await byNumber(`${n}-2398`)).toEqual([]);

    const damaged = await imported(`number,title\n${n}x,t\n${n}y,"open\n`);
    expect(damaged).toMatchObject({ code: "invalid_request" });
    expect(await byNumber(`${n}x`)).toEqual([]);
  });
});

it("G3 a large set is applied in batches of no more ops than a mutation may have", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `Group ${serial}-${at}`);
  const ops = names.map((name) => ({ op: "create", table: "groups", values: { name } }));
  const { body: set } = await owner.call("POST", "/api/v1/change-sets", { ops });
  const path = `/api/v1/change-sets/${set.id}`;
  await owner.call("POST", `${path}/apply`, {});
  const read = async () => (await owner.call("GET", path)).body;
  await until("the set is applied", 60_000, async () => (await read()).state === "applied");
  expect((await read()).progress).toMatchObject({ applied: 12, refused: 0 });
});
