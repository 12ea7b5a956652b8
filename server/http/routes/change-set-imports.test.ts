import { request } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import type {
  ApplyAnswer,
  ChangeSetInfo,
  ChangeSetPreview,
} from "../../../shared/protocol/change-sets.ts";
import type { DraftImport } from "../../../shared/protocol/imports.ts";
import { signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

// More rows together than a filter may name.
const { server, owner } = await serveTests("service-desk", {
  CHANGE_SET_IMPORT_MAX_BYTES: "2000000",
  MUTATION_MAX_OPS: "3000",
  PAGE_MAX_RECORDS: "3000",
});
let serial = 0;

beforeEach(() => {
  serial += 1;
});

const api = "/api/v1/change-sets";
const call = async <Body>(method: string, path: string, body?: object) =>
  (await owner.call(method, path, body)).body as Body;
const draft = async () => (await call<ChangeSetInfo>("POST", api, {})).id;
const pathOf = (id: string, options: Record<string, string> = {}) =>
  `${api}/${id}/import?${new URLSearchParams({ table: "incidents", ...options })}`;
const send = (id: string, csv: string, options?: Record<string, string>, client = owner) =>
  client.call("POST", pathOf(id, options), csv, { "content-type": "text/csv" });
const setOf = (id: string) => call<ChangeSetInfo>("GET", `${api}/${id}`);
const rejectsOf = async (id: string) =>
  (await owner.call("GET", `${api}/${id}/rejects.csv`)).body.text as string;
const countsOf = (counts: DraftImport | ChangeSetInfo["import"]) => [
  counts?.created,
  counts?.updated,
  counts?.unchanged,
  counts?.superseded,
  counts?.failed,
];

/** A draft of a file, and what the answer says of it. */
async function imported(csv: string, options?: Record<string, string>) {
  const id = await draft();
  const { status, body } = await send(id, csv, options);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id, report: body as unknown as DraftImport };
}

async function apply(id: string) {
  await call<ApplyAnswer>("POST", `${api}/${id}/apply`, {});
  await until("the set is applied", 60_000, async () => (await setOf(id)).state !== "applying");
  return setOf(id);
}

async function byNumber(number: string) {
  const filter = encodeURIComponent(JSON.stringify({ field: "number", op: "eq", value: number }));
  const { records } = await call<{ records: { values: Record<string, unknown> }[] }>(
    "GET",
    `/api/v1/tables/incidents/records?filter=${filter}`,
  );
  return records.map(({ values }) => values);
}

describe("G7 importing a file into a draft", () => {
  it("changes nothing before the draft is applied, and counts the last row of each key", async () => {
    const n = `A${serial}`;
    const csv = `number,title,opened_at,reassignments\n${n}a,first,29-02-2016 01:16,1\n${n}b,x,,\n${n}a,last,29-02-2016 01:16,1.234.567\n`;
    const { id, report } = await imported(csv, { key: "number" });
    expect(countsOf(report)).toEqual([2, 0, 0, 1, 0]);
    expect(report).toMatchObject({
      rows: 3,
      format: { dateFormat: "DD-MM-YYYY HH:mm", decimal: "," },
    });
    expect(await byNumber(`${n}a`)).toEqual([]);
    const preview = await call<ChangeSetPreview>("GET", `${api}/${id}/preview`);
    expect(preview.counts).toMatchObject({ create: 2, error: 0 });
    expect(await apply(id)).toMatchObject({ state: "applied", origin: "import" });
    expect(await byNumber(`${n}a`)).toMatchObject([
      { title: "last", opened_at: "2016-02-29T01:16:00+00:00", reassignments: 1234567 },
    ]);
    const again = await imported(csv, { key: "number" });
    expect(countsOf(again.report)).toEqual([0, 0, 2, 1, 0]);
    const unchanged = await call<ChangeSetPreview>("GET", `${api}/${again.id}/preview`);
    expect(unchanged).toMatchObject({ total: 0, counts: { unchanged: 2, update: 0 } });
  });

  it("counts rows without a key that were imported before as unchanged", async () => {
    const csv = `title\nkeyless ${serial}\nother ${serial}\n`;
    await apply((await imported(csv)).id);
    const again = await imported(`${csv}third ${serial}\n`);
    expect(countsOf(again.report)).toEqual([1, 0, 2, 0, 0]);
    const direct = "/api/v1/tables/incidents/imports";
    const repeated = await owner.call("POST", direct, csv, { "content-type": "text/csv" });
    expect(repeated.body).toMatchObject({ created: 0, unchanged: 2 });
  });

  it("reads a file without a header, and cells between tabs", async () => {
    const n = `T${serial}`;
    const map = JSON.stringify({ "Column 1": "number", "Column 2": "title" });
    const options = { header: "false", format: "tsv", map };
    const { id, report } = await imported(`${n}\ta, b\n`, options);
    expect(report.columns).toEqual({ "Column 1": "number", "Column 2": "title" });
    await apply(id);
    expect(await byNumber(n)).toMatchObject([{ title: "a, b" }]);
  });

  it("applies updates with a base: a colleague's edit made meanwhile is a conflict", async () => {
    const n = `C${serial}`;
    await apply((await imported(`number,title\n${n}a,old\n${n}b,old\n`)).id);
    const { id } = await imported(`number,title\n${n}a,mine\n${n}b,mine\n`, { key: "number" });
    const theirs = await imported(`number,title\n${n}b,theirs\n`, { key: "number" });
    await apply(theirs.id);
    const answer = await call<ApplyAnswer>("POST", `${api}/${id}/apply`, {});
    expect(answer).toMatchObject({
      state: "draft",
      applied: 0,
      conflicts: [{ index: 1, fields: { title: { base: "old", mine: "mine", theirs: "theirs" } } }],
    });
  });

  it("keeps rejected rows with line and reasons, as a file", async () => {
    const n = `R${serial}`;
    const csv = `number,state,notes\n${n}a,New,\n${n}b,Asleep,"one, two"\n\n${n}c,New,\n,New,nul \0\n`;
    const { id, report } = await imported(csv, { key: "number" });
    expect(countsOf(report)).toEqual([2, 0, 0, 0, 2]);
    const [header, second, fifth, ...rest] = (await rejectsOf(id)).split("\r\n");
    expect(header).toBe("line,reason,number,state,notes");
    expect(second).toMatch(new RegExp(`^3,.*options.*,${n}b,Asleep,"one, two"$`));
    expect(fifth).toMatch(/^6,.*nothing to recognise.*,,New,nul \u{FFFD}$/u);
    expect(rest).toEqual([""]);
    const asJson = `${api}/${id}/rejects?after=3&limit=1`;
    expect(await call("GET", asJson)).toEqual({
      header: ["number", "state", "notes"],
      fields: ["number", "state", "notes"],
      items: [
        {
          line: 6,
          cells: ["", "New", "nul \u{FFFD}"],
          errors: expect.arrayContaining([
            expect.objectContaining({ field: "number", messageKey: "row.keyEmpty" }),
          ]),
        },
      ],
      total: 2,
    });
    expect((await setOf(id)).import).toMatchObject({ rows: 4, failed: 2, isComplete: true });
  });

  it("refuses a second file, a wrong state, another author, and users who may not write", async () => {
    const { id } = await imported(`title\nx ${serial}\n`);
    expect((await send(id, "title\ny\n")).body).toMatchObject({ code: "conflict" });
    const applied = await draft();
    await apply(applied);
    expect((await send(applied, "title\ny\n")).body).toMatchObject({ code: "conflict" });
    const viewer = {
      email: "v@example.com",
      name: "V",
      role: "viewer",
      password: "a long password",
    };
    await owner.call("POST", "/api/v1/users", viewer);
    const client = await signedInClient(server.origin, viewer);
    expect((await send(await draft(), "title\ny\n", {}, client)).status).toBe(404);
    const own = (await client.call("POST", api, {})).body as { id: string };
    expect((await send(own.id, "title\ny\n", {}, client)).body).toMatchObject({
      code: "forbidden",
      right: "create",
    });
  });
});

describe("files that can't be read to their end", () => {
  const nothing = { import: null, counts: { create: 0, update: 0, delete: 0 } };

  it("leave nothing in the draft where the file is damaged, and it can be imported again", async () => {
    const id = await draft();
    const rows = Array.from({ length: 2_500 }, (_, n) => `D${serial}-${n},t\n`).join("");
    const { status, body } = await send(id, `number,title\n${rows}1,"open`);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(await setOf(id)).toMatchObject(nothing);
    expect(countsOf((await send(id, `number,title\n${rows}`)).body as never)).toEqual([
      2_500, 0, 0, 0, 0,
    ]);
  });

  it("leave the draft of other ops as it was", async () => {
    const ops = [{ op: "create", table: "incidents", values: { title: `op ${serial}` } }];
    const { id } = await call<ChangeSetInfo>("POST", api, { ops });
    const rows = Array.from({ length: 2_500 }, (_, n) => `O${serial}-${n}\n`).join("");
    expect((await send(id, `title\n${rows}"open`)).status).toBe(400);
    expect(await setOf(id)).toMatchObject({ origin: "bulk", import: null, counts: { create: 1 } });
  });

  it("leave nothing where their rows take more than their bound in bytes", async () => {
    const id = await draft();
    const rows = Array.from({ length: 6_000 }, (_, n) => `L${serial}-${n}\n`).join("");
    expect((await send(id, `title\n${rows}`)).body).toMatchObject({ code: "too_large" });
    expect(await setOf(id)).toMatchObject(nothing);
  });

  it("reject rows of another encoding with their line", async () => {
    const id = await draft();
    const file = Buffer.from(`number,title\nE${serial}a,José\nE${serial}b,Anna\n`, "latin1");
    const headers = { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" };
    const post = (options?: Record<string, string>) =>
      fetch(server.origin + pathOf(id, options), { method: "POST", headers, body: file });
    expect(countsOf((await (await post()).json()) as DraftImport)).toEqual([1, 0, 0, 0, 1]);
    expect(await rejectsOf(id)).toMatch(/^2,.*not UTF-8/m);
  });

  it("leave nothing where the connection is cut, and can't be applied before", async () => {
    const id = await draft();
    const upload = request(server.origin + pathOf(id), {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" },
    });
    upload.on("error", () => {});
    const rows = Array.from({ length: 2_500 }, (_, n) => `${serial}-${n}\n`).join("");
    upload.write(`title\n${rows}`);
    await until("a batch is stored", 60_000, async () => (await setOf(id)).progress.total > 0);
    expect((await setOf(id)).import).toMatchObject({ isComplete: false });
    const refused = await owner.call("POST", `${api}/${id}/apply`, {});
    expect(refused.body).toMatchObject({ code: "conflict", state: "draft" });
    expect((await owner.call("GET", `${api}/${id}/preview`)).body).toMatchObject({
      code: "conflict",
    });
    upload.destroy();
    await until("the part is removed", 60_000, async () => (await setOf(id)).import === null);
    expect(await setOf(id)).toMatchObject(nothing);
  });
});
