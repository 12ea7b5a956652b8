import { beforeEach, describe, expect, it } from "vitest";
import type { ImportReport } from "../../../shared/protocol/imports.ts";
import { serveTests } from "../testing/test-server.ts";

const { owner } = await serveTests("service-desk");
let serial = 0;

beforeEach(() => {
  serial += 1;
});

interface Found {
  id: string;
  values: Record<string, unknown>;
}

const importFile = async (csv: string, options: Record<string, string> = {}, to = "incidents") => {
  const path = `/api/v1/tables/${to}/imports?${new URLSearchParams(options)}`;
  const { body } = await owner.call("POST", path, csv, { "content-type": "text/csv" });
  return body as unknown as ImportReport;
};
const recordsOf = async (table: string, field: string, op: string, value: string) => {
  const filter = encodeURIComponent(JSON.stringify({ field, op, value }));
  const { body } = await owner.call("GET", `/api/v1/tables/${table}/records?filter=${filter}`);
  return body.records as Found[];
};
const numbered = (start: string) => recordsOf("incidents", "number", "startsWith", start);
const edit = (table: string, { id, values }: Found, set: Record<string, unknown>) => {
  const base = Object.fromEntries(Object.keys(set).map((name) => [name, values[name] ?? null]));
  return owner.call("PATCH", `/api/v1/tables/${table}/records/${id}`, { set, base });
};
const revert = async (set: string | null) => {
  const { body } = await owner.call("POST", `/api/v1/change-sets/${set}/revert`);
  const { status } = await owner.call("POST", `/api/v1/change-sets/${body.id}/apply`, {});
  expect(status).toBe(200);
};

describe("a file that is imported again", () => {
  const rows = (n: string) => Array.from({ length: 10 }, (_, at) => `${n}-${at},t${at}\n`).join("");

  it("creates its records again after the import was reverted, or they were deleted", async () => {
    const n = `R${serial}`;
    const csv = `number,title\n${rows(n)}`;
    const first = await importFile(csv);
    expect(first).toMatchObject({ created: 10, failed: 0 });
    await revert(first.changeSet);
    expect(await numbered(n)).toEqual([]);
    expect(await importFile(csv)).toMatchObject({ created: 10, failed: 0 });
    const records = await numbered(n);
    expect(records).toHaveLength(10);
    for (const { id } of records) {
      const path = `/api/v1/tables/incidents/records/${id}?overwrite=true`;
      expect((await owner.call("DELETE", path)).status).toBe(204);
    }
    expect(await importFile(csv)).toMatchObject({ created: 10, failed: 0 });
    expect(await numbered(n)).toHaveLength(10);
    expect(await importFile(csv)).toMatchObject({ created: 0, unchanged: 10, changeSet: null });
  });

  it("sets the values of its rows again after somebody has set them back", async () => {
    const n = `V${serial}`;
    await importFile(`number,reassignments\n${n},5\n`);
    const csv = `number,reassignments\n${n},7\n`;
    expect(await importFile(csv, { key: "number" })).toMatchObject({ updated: 1 });
    const [record] = await numbered(n);
    expect((await edit("incidents", record as Found, { reassignments: 5 })).status).toBe(200);
    expect(await importFile(csv, { key: "number" })).toMatchObject({ updated: 1 });
    expect(await numbered(n)).toMatchObject([{ values: { reassignments: 7 } }]);
  });

  it("sets the last of several rows of one record again", async () => {
    const n = `L${serial}`;
    const csv = `number,notes\n${n},a\n${n},b\n${n},nobody\n${n},c\n`;
    const first = await importFile(csv, { key: "number" });
    expect(first).toMatchObject({ created: 1, superseded: 3, failed: 0 });
    await revert(first.changeSet);
    expect(await numbered(n)).toEqual([]);
    expect(await importFile(csv, { key: "number" })).toMatchObject({ created: 1, superseded: 3 });
    const [record] = await numbered(n);
    expect(record?.values).toMatchObject({ notes: "c" });
    const again = await importFile(csv, { key: "number" });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1, changeSet: null });
    expect(await numbered(n)).toMatchObject([{ id: record?.id, values: { notes: "c" } }]);
  });

  it("is accepted as soon as the cause of its refusal is gone", async () => {
    const n = `C${serial}`;
    const csv = `number,caller\n${n},${n}-caller\n`;
    expect(await importFile(csv)).toMatchObject({ created: 0, failed: 1 });
    const caller = { record: `${n}-caller`, values: { name: "Anna" } };
    expect((await owner.call("POST", "/api/v1/tables/people/records", caller)).status).toBe(201);
    expect(await importFile(csv)).toMatchObject({ created: 1, failed: 0 });
    expect(await numbered(n)).toMatchObject([{ values: { caller: `${n}-caller` } }]);
  });
});

describe("a row whose record exists already, without a key", () => {
  const services = (csv: string, options = {}) => importFile(csv, options, "services");
  const called = async (name: string) => (await recordsOf("services", "name", "eq", name))[0];

  it("is unchanged where the record is named by its row and has its values, and a duplicate otherwise", async () => {
    const n = `S${serial}`;
    const header = "name,monthly_cost,description\n";
    const csv = `${header}${n}a,10,mail\n${n}b,20,\n`;
    expect(await services(csv)).toMatchObject({ created: 2 });
    expect(await services(csv)).toMatchObject({ created: 0, unchanged: 2, failed: 0 });
    const corrected = `${header}${n}a,10.0,mail\n${n}b,25,\n${n}c,30,\n`;
    for (const dryRun of ["true", "false"]) {
      const report = await services(corrected, { dryRun });
      expect(report, dryRun).toMatchObject({ created: 1, unchanged: 1, failed: 1 });
      expect(report.errors).toMatchObject([
        {
          ...{ line: 3, field: "name", code: "duplicate", rule: "unique" },
          message: `${n}b exists already, with other values. To change it, import the file with a key.`,
        },
      ]);
    }
    expect((await called(`${n}b`))?.values.monthly_cost).toBe("20.00");
    expect(await services(corrected, { key: "name" })).toMatchObject({ updated: 1, unchanged: 2 });
    const emptied = `${header}${n}a,10,\n`;
    expect(await services(emptied)).toMatchObject({ unchanged: 0, failed: 1 });
  });

  it("is a duplicate of an earlier row of the file that names the same record", async () => {
    const n = `T${serial}`;
    const lines = [`${n},10,`, `${n},10,`, `${n},11,`, `${n}x,1,nobody`, `${n}x,1,`, `${n}x,1,`];
    const csv = `name,monthly_cost,owner\n${lines.join("\n")}\n`;
    const report = await services(csv);
    expect(report).toMatchObject({ rows: 6, created: 2, unchanged: 2, failed: 2 });
    expect(report.errors).toMatchObject([
      { line: 4, code: "duplicate" },
      { line: 5, field: "owner", code: "link_broken" },
    ]);
    expect((await called(n))?.values.monthly_cost).toBe("10.00");
  });

  it("is compared by an id of the file, too, however that is composed", async () => {
    const id = `I${serial}-\u00e9`;
    const csv = `id,number,title\n${id.normalize("NFD")},N${serial},one\n`;
    expect(await importFile(csv)).toMatchObject({ created: 1 });
    expect(await importFile(csv)).toMatchObject({ created: 0, unchanged: 1, failed: 0 });
    const report = await importFile(`id,title\n${id},two\n`);
    expect(report.errors).toMatchObject([{ line: 2, field: "id", code: "duplicate" }]);
    const keyed = await importFile(csv.replace("one", "three"), { key: "id" });
    expect(keyed).toMatchObject({ updated: 1, failed: 0 });
  });

  it("rejects it into the file of a draft", async () => {
    const n = `D${serial}`;
    await services(`name,monthly_cost\n${n}a,10\n${n}b,10\n`);
    const { body: draft } = await owner.call("POST", "/api/v1/change-sets", {});
    const path = `/api/v1/change-sets/${draft.id}/import?table=services`;
    const csv = `name,monthly_cost\n${n}a,10\n${n}b,12\n${n}c,1\n`;
    const { body } = await owner.call("POST", path, csv, { "content-type": "text/csv" });
    expect(body).toMatchObject({ created: 1, unchanged: 1, failed: 1 });
    expect(body.errors).toMatchObject([{ line: 3, code: "duplicate" }]);
  });
});

describe("a row with a key", () => {
  it("is a duplicate where the record that it created has another key now", async () => {
    const n = `K${serial}`;
    const csv = `number,title\n${n}a,one\n${n}b,two\n`;
    expect(await importFile(csv, { key: "number" })).toMatchObject({ created: 2 });
    const [record] = await numbered(`${n}a`);
    await edit("incidents", record as Found, { number: `${n}z` });
    for (const dryRun of ["true", "false"]) {
      const report = await importFile(csv, { key: "number", dryRun });
      expect(report, dryRun).toMatchObject({ created: 0, unchanged: 1, failed: 1 });
      expect(report.errors).toMatchObject([{ line: 2, code: "duplicate", rule: "unique" }]);
    }
  });

  it("is a duplicate where another record has its name", async () => {
    const n = `N${serial}`;
    const services = (csv: string) => importFile(csv, { key: "description" }, "services");
    expect(await services(`name,description\n${n},first\n`)).toMatchObject({ created: 1 });
    const report = await services(`name,description\n${n},second\n`);
    expect(report).toMatchObject({ created: 0, unchanged: 0, failed: 1 });
    expect(report.errors).toMatchObject([{ line: 2, field: "name", code: "duplicate" }]);
  });
});
