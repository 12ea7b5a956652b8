import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import type { ActivityEntry } from "../../../shared/protocol/records.ts";
import { serveTests } from "../testing/test-server.ts";

const CHANGES = "/api/v1/changes";
const RECORDS = "/api/v1/tables/incidents/records";

// Several pages for a few changes.
const { owner, ownerId } = await serveTests("service-desk", {
  PAGE_MAX_RECORDS: "2",
});
let record: string;

beforeAll(async () => {
  const { body } = await owner.call("POST", RECORDS, { values: { title: "=1+1" } });
  record = String(body.id);
  for (const title of ["a, b\nc", 'say "hi"', "-2", "José"]) {
    await owner.call("PATCH", `${RECORDS}/${record}?overwrite=true`, { set: { title } });
  }
  for (const title of ["x", "y", "z"]) await owner.call("POST", RECORDS, { values: { title } });
});

const exported = async (file: string, query = `?table=incidents&record=${record}`) =>
  owner.call("GET", `${CHANGES}/export.${file}${query}`);
const textOf = async (file: string, query?: string) =>
  (await exported(file, query)).body.text as string;

async function activity(query: string): Promise<ActivityEntry[]> {
  const items: ActivityEntry[] = [];
  for (let before = ""; ; ) {
    const { body } = await owner.call("GET", `${CHANGES}${query}${before}`);
    items.push(...(body.items as ActivityEntry[]));
    if (body.next === null) return items;
    before = `&before=${body.next}`;
  }
}

describe("the export of the change log", () => {
  it("A3 has the activity that matches, page after page, as JSON lines", async () => {
    const all = await activity("?table=incidents");
    const lines = (await textOf("jsonl", "?table=incidents")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    expect(all).toHaveLength(8);
    const own = (await textOf("jsonl")).trimEnd().split("\n");
    expect(own.map((line) => JSON.parse(line))).toEqual(
      all.filter((entry) => entry.record === record),
    );
  });

  it("has a line of CSV for each changed field, and none that a spreadsheet runs", async () => {
    const rows: Record<string, string>[] = parse(await textOf("csv"), { columns: true, bom: true });
    const titles = rows.filter(({ field }) => field === "title");
    expect(titles.map(({ before, after }) => [before, after])).toEqual([
      ["'-2", "José"],
      ['say "hi"', "'-2"],
      ["a, b c", 'say "hi"'],
      ["'=1+1", "a, b c"],
      ["", "'=1+1"],
    ]);
    const [newest] = titles;
    expect(newest).toMatchObject({ table: "incidents", record, kind: "update", byKind: "user" });
    expect(newest).toMatchObject({
      origin: "api",
      seq: String((await activity(`?table=incidents&record=${record}`))[0]?.seq),
    });
  });

  it("is a security event with its filter", async () => {
    await exported("csv", "?table=incidents&search=hi");
    const { body } = await owner.call("GET", "/api/v1/security-events?limit=1");
    expect(body.items).toMatchObject([
      {
        kind: "log_exported",
        actor: { id: ownerId },
        detail: { file: "changes.csv", table: "incidents", search: "hi" },
      },
    ]);
  });

  it("is refused for a table that does not exist, and then not recorded", async () => {
    const { body } = await exported("csv", "?table=none");
    expect(body).toMatchObject({ status: 404, code: "not_found" });
    const events = await owner.call("GET", "/api/v1/security-events?limit=1");
    expect(events.body.items).not.toMatchObject([{ detail: { table: "none" } }]);
  });
});
