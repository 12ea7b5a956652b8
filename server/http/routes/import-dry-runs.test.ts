import { beforeEach, describe, expect, it } from "vitest";
import type { ImportReport } from "../../../shared/protocol/imports.ts";
import { serveTests } from "../testing/test-server.ts";

const { owner } = await serveTests("service-desk", {
  MUTATION_MAX_OPS: "3",
  IMPORT_DRY_RUN_MAX_BYTES: "4000",
});
let serial = 0;

beforeEach(() => {
  serial += 1;
});

async function importFile(csv: string, options: Record<string, string> = {}, to = "incidents") {
  const path = `/api/v1/tables/${to}/imports?${new URLSearchParams(options)}`;
  const { body } = await owner.call("POST", path, csv, { "content-type": "text/csv" });
  return body as unknown as ImportReport & { code?: string; limit?: number; message?: string };
}

/** Counts and errors of a dry run, and of the import itself. */
async function bothRuns(csv: string, options: Record<string, string>, to?: string) {
  const of = ({ created, updated, unchanged, failed, errors }: ImportReport) => ({
    counts: [created, updated, unchanged, failed],
    errors: errors.map(({ line, field, code }) => [line, field, code].join(" ")),
  });
  const dry = of(await importFile(csv, { ...options, dryRun: "true" }, to));
  return { dry, real: of(await importFile(csv, options, to)) };
}

describe("a dry run", () => {
  it("counts rows of one key as the import does, in one batch and in several", async () => {
    const n = `K${serial}`;
    await importFile(`number,title\n${n}s,stored\n`);
    const rows = [
      ...[`${n}a,one,`, `${n}b,two,nobody`, `${n}b,two,`],
      ...[`${n}s,stored,`, `${n}a,one,`, `${n}c,x,nobody`],
      ...[`${n}c,y,`, `${n}a,two,`, `${n}s,other,`],
      ...[`${n}s,other,`, `${n}a,two,nobody`, `${n}s,stored,`],
      ...[`${n}a,two,`, `${n}s,stored,`, `${n}b,two,`],
    ];
    const csv = `number,title,caller\n${rows.join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, { key: "number" });
    expect(real.counts).toEqual([3, 3, 6, 3]);
    expect(dry).toEqual(real);
  });

  it("counts rows that name one record as the import does", async () => {
    const n = `N${serial}`;
    const rows = [
      ...[`${n}a,1,`, `${n}a,1,`, `${n}b,1,nobody`],
      ...[`${n}a,2,`, `${n}b,2,`, `${n}a,1,`],
    ];
    const csv = `name,monthly_cost,owner\n${rows.join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, {}, "services");
    expect(real.counts).toEqual([2, 0, 2, 2]);
    expect(dry).toEqual(real);
  });

  it("is refused where it would change more records than it can remember", async () => {
    const n = `M${serial}`;
    const rows = Array.from({ length: 50 }, (_, at) => `${n}-${at},t`);
    const csv = `number,title\n${rows.join("\n")}\n`;
    const refused = await importFile(csv, { key: "number", dryRun: "true" });
    expect(refused).toMatchObject({ code: "too_large", limit: 4_000, unit: "bytes" });
    expect(refused.message).toMatch(/draft/);
    expect(await importFile(csv, { key: "number" })).toMatchObject({ created: 50 });
    const again = `${csv}${rows[0]}u\n`;
    const report = await importFile(again, { key: "number", dryRun: "true" });
    expect(report).toMatchObject({ created: 0, updated: 1, unchanged: 50 });
  });

  it("remembers nothing of rows whose records can't be named again", async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `other ${serial} ${at}`);
    const csv = `title\n${rows.join("\n")}\n`;
    expect(await importFile(csv, { dryRun: "true" })).toMatchObject({ created: 50 });
  });
});
