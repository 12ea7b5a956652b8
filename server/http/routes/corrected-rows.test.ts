import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { ChangeSetInfo, ChangeSetPreview } from "../../../shared/protocol/change-sets.ts";
import type { CorrectedRows, RejectedRow } from "../../../shared/protocol/imports.ts";
import { signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const { server, owner, member } = await serveTests("service-desk", {
  CHANGE_SET_IMPORT_MAX_BYTES: "2000000",
});
let serial = 0;

beforeEach(() => {
  serial += 1;
});

const api = "/api/v1/change-sets";
const call = async <Body>(method: string, path: string, body?: unknown) =>
  (await owner.call(method, path, body)).body as Body;
const setOf = (id: string) => call<ChangeSetInfo>("GET", `${api}/${id}`);
const previewOf = (id: string) => call<ChangeSetPreview>("GET", `${api}/${id}/preview`);
const rejectsOf = (id: string) =>
  call<{ items: RejectedRow[]; header: string[]; fields?: (string | null)[] }>(
    "GET",
    `${api}/${id}/rejects`,
  );

interface Correction {
  field: string;
  text: string;
  value: Json;
  line?: number;
  after?: number;
}
const send = (id: string, correction: Correction, client = owner) =>
  client.call("PATCH", `${api}/${id}/rejects`, correction);
const correct = async (id: string, correction: Correction) => {
  const { status, body } = await send(id, correction);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as CorrectedRows;
};

/** A draft of a file. */
async function draftOf(csv: string, options: Record<string, string> = {}): Promise<string> {
  const { id } = await call<ChangeSetInfo>("POST", api, {});
  const path = `${api}/${id}/import?${new URLSearchParams({ table: "incidents", ...options })}`;
  const { status, body } = await owner.call("POST", path, csv, { "content-type": "text/csv" });
  expect(status, JSON.stringify(body)).toBe(200);
  return id;
}

async function apply(id: string) {
  await call("POST", `${api}/${id}/apply`, {});
  await until("the set is applied", 60_000, async () => (await setOf(id)).state !== "applying");
}

async function byNumber(number: string) {
  const filter = encodeURIComponent(JSON.stringify({ field: "number", op: "eq", value: number }));
  const path = `/api/v1/tables/incidents/records?filter=${filter}`;
  const { records } = await call<{ records: { id: string; values: object }[] }>("GET", path);
  return records;
}

describe("correcting the rejected rows of a draft's file", () => {
  it("checks a row again, which becomes a change once nothing is wrong with it, is applied with the others and reverted with them", async () => {
    const n = `A${serial}`;
    const id = await draftOf(
      `number,title,impact,opened_at\n${n}a,good,1 - High,27.11.2026 09:00\n${n}b,bad,Very high,27.11.2026 10:30\n${n}c,bad,Very low,31.11.2026 10:30\n`,
    );
    expect((await setOf(id)).import).toMatchObject({ created: 1, failed: 2 });
    expect(await rejectsOf(id)).toMatchObject({
      fields: ["number", "title", "impact", "opened_at"],
      items: [
        { line: 3, errors: [{ field: "impact" }] },
        { line: 4, errors: [{ field: "impact" }, { field: "opened_at" }] },
      ],
    });
    const high = { field: "impact", text: "Very high", value: "1 - High", line: 3 };
    expect(await correct(id, high)).toEqual({ corrected: 1, next: null });
    // Somebody else, or another tab, has corrected the row.
    expect((await send(id, high)).body).toMatchObject({ code: "conflict" });

    const low = { field: "impact", text: "Very low", value: "3 - Low", line: 4 };
    expect(await correct(id, low)).toEqual({ corrected: 0, next: null });
    const { items } = await rejectsOf(id);
    expect(items).toMatchObject([
      { line: 4, cells: [`${n}c`, "bad", "3 - Low", "31.11.2026 10:30"] },
    ]);
    expect(items[0]?.errors).toMatchObject([{ field: "opened_at" }]);
    const opened = { field: "opened_at", text: "31.11.2026 10:30", line: 4 };
    const wrong = await send(id, { ...opened, value: "tomorrow" });
    expect(wrong.body).toMatchObject({
      code: "validation_failed",
      fields: { opened_at: { rule: "type" } },
    });
    await correct(id, { ...opened, value: "2026-11-30T10:30:00Z" });

    expect((await setOf(id)).import).toMatchObject({ rows: 3, created: 3, failed: 0 });
    expect(await previewOf(id)).toMatchObject({ total: 3, counts: { create: 3, error: 0 } });
    await apply(id);
    expect(await byNumber(`${n}c`)).toMatchObject([
      { values: { impact: "3 - Low", opened_at: "2026-11-30T10:30:00+00:00" } },
    ]);
    expect((await send(id, { ...opened, value: null })).body).toMatchObject({
      code: "conflict",
      state: "applied",
    });
    const revert = await call<ChangeSetInfo>("POST", `${api}/${id}/revert`);
    await apply(revert.id);
    expect(await Promise.all([..."abc"].map((letter) => byNumber(n + letter)))).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("corrects all rows that have the same text in a field, and leaves the cells of the others alone", async () => {
    const n = `S${serial}`;
    const rows = Array.from({ length: 120 }, (_, at) =>
      at % 3 === 2 ? `${n}-${at},Severe,N/A` : `${n}-${at},N/A,1`,
    );
    const id = await draftOf(`number,impact,reassignments\n${rows.join("\n")}\n`);
    const same = { field: "impact", text: "N/A", value: null };
    expect(await correct(id, same)).toEqual({ corrected: 80, next: 120 });
    expect(await correct(id, { ...same, after: 120 })).toEqual({ corrected: 0, next: null });
    expect((await setOf(id)).import).toMatchObject({ created: 80, failed: 40 });
    const { items } = await rejectsOf(id);
    expect(items[0]).toMatchObject({ line: 4, cells: [`${n}-2`, "Severe", "N/A"] });
  });

  it("reads what is chosen as the column is written, and refuses a value that means “empty” there", async () => {
    const n = `D${serial}`;
    const id = await draftOf(`number;reassignments;title\n${n}a;1.234.567;x\n${n}b;many;x\n`, {
      null: "x",
    });
    const title = await send(id, { field: "title", text: "x", value: "x", line: 3 });
    expect(title.body).toMatchObject({ code: "invalid_request", at: "value" });
    await correct(id, { field: "reassignments", text: "many", value: 1000, line: 3 });
    expect((await previewOf(id)).items[1]).toMatchObject({ after: { reassignments: 1000 } });
  });

  it("names a linked record and a user by id, and finds the record of a key", async () => {
    const n = `L${serial}`;
    await apply(await draftOf(`number,title\n${n},old\n`));
    const group = { op: "create", table: "groups", values: { name: `Team ${n}` } };
    const groups = await call<ChangeSetInfo>("POST", api, { ops: [group] });
    await apply(groups.id);
    const id = await draftOf(`number,title,group,assignee\n${n},new,Nowhere,Nobody\n`, {
      key: "number",
    });
    const me = await call<{ user: { id: string } }>("GET", "/api/v1/session");
    await correct(id, { field: "group", text: "Nowhere", value: `Team ${n}` });
    const assignee = { field: "assignee", text: "Nobody", value: me.user.id };
    expect(await correct(id, assignee)).toMatchObject({ corrected: 1 });
    expect(await previewOf(id)).toMatchObject({
      counts: { update: 1 },
      items: [{ before: { title: "old" }, after: { title: "new", assignee: me.user.id } }],
    });
  });

  it("keeps a row whose key another row has already, and gives a field without a column one", async () => {
    const n = `K${serial}`;
    const id = await draftOf(`number,title\n${n}a,one\n,two\n`, { key: "number" });
    await correct(id, { field: "number", text: "", value: `${n}a`, line: 3 });
    expect((await rejectsOf(id)).items).toMatchObject([
      { line: 3, errors: [{ field: "number", code: "duplicate", messageKey: "row.keyRepeated" }] },
    ]);
    await correct(id, { field: "category", text: "", value: "Network", line: 3 });
    expect(await rejectsOf(id)).toMatchObject({
      header: ["number", "title", "Category"],
      items: [{ cells: [`${n}a`, "two", "Network"] }],
    });
    await correct(id, { field: "number", text: `${n}a`, value: `${n}b`, line: 3 });
    await apply(id);
    expect(await byNumber(`${n}b`)).toMatchObject([{ values: { category: "Network" } }]);
    expect(await byNumber(`${n}a`)).toMatchObject([{ values: { category: null } }]);
  });

  it("never takes the sign of a damaged cell for its text, nor a value too many for one of a new column", async () => {
    const n = `X${serial}`;
    const id = await draftOf(`number,title,impact\n${n}a,nul \0,Bad\n${n}b,x,Bad,more\n`);
    await correct(id, { field: "impact", text: "Bad", value: "3 - Low" });
    await correct(id, { field: "category", text: "", value: "Network", line: 2 });
    await correct(id, { field: "title", text: "x", value: "y", line: 3 });
    const { items } = await rejectsOf(id);
    expect(items.map(({ errors }) => errors.map(({ rule }) => rule))).toEqual([
      ["characters"],
      ["columns"],
    ]);
    await correct(id, { field: "title", text: "nul \u{FFFD}", value: "whole", line: 2 });
    expect((await rejectsOf(id)).items).toHaveLength(1);
    expect(await previewOf(id)).toMatchObject({ items: [{ after: { title: "whole" } }] });
  });

  it("reads rows by the model and the rights of that moment", async () => {
    const n = `M${serial}`;
    const all = { read: true, create: true, update: true };
    const role = { name: `Role ${n}`, grants: { incidents: all }, rights: [] };
    const { id: roleId } = await call<{ id: string }>("POST", "/api/v1/roles", role);
    const author = await member(roleId);
    const made = await author.call("POST", api, {});
    const id = String(made.body.id);
    const file = `number,location,reopenings,impact\n${n}a,Oslo,,Bad\n${n}b,Oslo,2,Bad\n${n}c,Oslo,few,Bad\n`;
    const path = `${api}/${id}/import?table=incidents`;
    await author.call("POST", path, file, { "content-type": "text/csv" });
    const model = await call<Model>("GET", "/api/v1/model");
    const incidents = model.tables.find(({ name }) => name === "incidents");
    const location = incidents?.fields.find(({ name }) => name === "location");
    const reopenings = incidents?.fields.find(({ name }) => name === "reopenings");
    Object.assign(location ?? {}, { name: "site" });
    Object.assign(reopenings ?? {}, { name: "secret_name" });
    await call("PUT", "/api/v1/model?confirm=lossy", model);
    const narrow = { incidents: { ...all, read: { hide: ["secret_name"] } } };
    const changed = await owner.call("PATCH", `/api/v1/roles/${roleId}`, { grants: narrow });
    expect(changed.status).toBe(200);
    const rejects = await author.call("GET", `${api}/${id}/rejects`);
    expect(rejects.body.fields).toEqual(["number", "site", null, "impact"]);
    expect(JSON.stringify(rejects.body)).not.toContain("secret_name");
    const few = { field: "reopenings", text: "few", value: 1, line: 4 };
    expect((await send(id, few, author)).body).toMatchObject({ at: "field" });
    const impact = { field: "impact", text: "Bad", value: "3 - Low" };
    expect((await send(id, impact, author)).body).toMatchObject({ corrected: 1, next: 4 });
    const left = (await author.call("GET", `${api}/${id}/rejects`)).body.items;
    expect(left).toMatchObject([
      { line: 3, errors: [{ messageKey: "row.noField" }] },
      { line: 4, errors: [{ messageKey: "row.noField" }] },
    ]);
    const preview = (await author.call("GET", `${api}/${id}/preview`)).body;
    expect(preview).toMatchObject({ items: [{ after: { site: "Oslo", impact: "3 - Low" } }] });
    // Without the right to write nothing is read again.
    const reader = { incidents: { read: true, create: null, update: null } };
    await owner.call("PATCH", `/api/v1/roles/${roleId}`, { grants: reader });
    expect((await send(id, impact, author)).body).toMatchObject({ code: "forbidden" });
  });

  it("is bounded in bytes, and refuses unknown fields, other users, and sets that are no draft of a file", async () => {
    const n = `B${serial}`;
    const id = await draftOf(`number,impact\n${n},Bad\n`);
    const given = { text: "Bad", value: "x", line: 2 };
    for (const field of ["nothing", "id"]) {
      expect((await send(id, { ...given, field })).body).toMatchObject({
        code: "invalid_request",
        at: "field",
      });
    }
    const hostile = { ...given, field: "impact", text: "\0" };
    expect((await send(id, hostile)).body).toMatchObject({ code: "invalid_request", at: "text" });
    const editor = {
      ...{ email: `e${n}@example.com`, name: "E" },
      ...{ role: "editor", password: "a long password" },
    };
    await owner.call("POST", "/api/v1/users", editor);
    const other = await signedInClient(server.origin, editor);
    expect((await send(id, { ...given, field: "impact" }, other)).status).toBe(404);
    const empty = await call<ChangeSetInfo>("POST", api, {});
    expect((await send(empty.id, { ...given, field: "impact" })).body).toMatchObject({
      code: "conflict",
    });
    for (let at = 0; at < 12; at += 1) {
      const notes = randomBytes(100_000).toString("hex");
      const ops = [{ op: "create", table: "incidents", values: { notes } }];
      expect((await owner.call("POST", api, { ops })).status).toBe(201);
    }
    const bounded = await send(id, { ...given, field: "impact", value: "3 - Low" });
    expect(bounded.body).toMatchObject({ code: "too_large", unit: "bytes" });
    await owner.call("POST", `${api}/${id}/cancel`);
    expect((await send(id, { ...given, field: "impact", value: null })).body).toMatchObject({
      code: "conflict",
      state: "cancelled",
    });
  });
});
