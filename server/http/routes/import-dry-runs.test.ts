import { beforeEach, describe, expect, it } from "vitest";
import type { ImportReport } from "../../../shared/protocol/imports.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const linked = { name: "part_of", label: "Part of", type: "link", target: "services" } as const;
const model = {
  ...serviceDesk,
  tables: serviceDesk.tables.map((table) =>
    table.name === "services" ? { ...table, fields: [...table.fields, linked] } : table,
  ),
};
const environment = {
  MUTATION_MAX_OPS: "3",
  CHANGE_SET_IMPORT_MAX_BYTES: "20000",
};
const { server, owner } = await serveTests("service-desk", environment, {}, undefined, model);
let serial = 0;

beforeEach(() => {
  serial += 1;
});

async function importFile(
  csv: string,
  options: Record<string, string> = {},
  to = "incidents",
  by = owner,
) {
  const path = `/api/v1/tables/${to}/imports?${new URLSearchParams(options)}`;
  const { body } = await by.call("POST", path, csv, { "content-type": "text/csv" });
  return body as unknown as ImportReport & { code?: string; limit?: number; message?: string };
}

/** Counts and errors of a dry run, and of the import itself. */
async function bothRuns(csv: string, options: Record<string, string>, to?: string, by = owner) {
  const of = ({ created, updated, unchanged, failed, errors }: ImportReport) => ({
    counts: [created, updated, unchanged, failed],
    errors: errors.map(({ line, field, code }) => [line, field, code].join(" ")),
  });
  const dry = of(await importFile(csv, { ...options, dryRun: "true" }, to, by));
  return { dry, real: of(await importFile(csv, options, to, by)) };
}

describe("a dry run", () => {
  it("counts rows of one key as the import does, in one batch and in several", async () => {
    const n = `K${serial}`;
    await importFile(`number,title\n${n}s,stored\n${n}t,stored\n`);
    const rows = [
      ...[`${n}a,one,`, `${n}b,two,nobody`, `${n}b,two,`],
      ...[`${n}s,stored,`, `${n}a,one,`, `${n}c,x,nobody`],
      ...[`${n}c,y,`, `${n}a,two,`, `${n}s,other,`],
      ...[`${n}s,other,`, `${n}a,two,nobody`, `${n}s,stored,`],
      ...[`${n}t,other,`, `${n}t,other,nobody`, `${n}b,three,`],
    ];
    const csv = `number,title,caller\n${rows.join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, { key: "number" });
    expect(real.counts).toEqual([2, 0, 1, 2]);
    expect(real.errors).toEqual(["12 caller link_broken", "15 caller link_broken"]);
    expect(dry).toEqual(real);
  });

  it("finds a value of a unique field that two rows give, in one batch and in several", async () => {
    const n = `U${serial}`;
    const rows = [`${n}1,a`, `${n}2,b`, `${n}1,c`, `${n}3,d`, `${n}2,e`, `${n}4,f`, `${n}3,d`];
    const csv = `number,title\n${rows.map((row) => `${row} ${n}`).join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, { key: "title" });
    expect(real).toEqual({
      counts: [4, 0, 0, 2],
      errors: ["4 number duplicate", "6 number duplicate"],
    });
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

  it("takes a link to a record that an earlier row creates, in one batch and in several", async () => {
    const n = `L${serial}`;
    const rows = [`${n}a,`, `${n}b,${n}a`, `${n}c,${n}x`, `${n}d,${n}b`, `${n}e,${n}a`];
    const csv = `name,part_of\n${rows.join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, {}, "services");
    expect(real).toEqual({ counts: [4, 0, 0, 1], errors: ["4 part_of link_broken"] });
    expect(dry).toEqual(real);
  });

  it("of a file beyond the bound in bytes is refused, as its import is, and leaves nothing", async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `B${serial}-${at},${"x".repeat(500)}`);
    const csv = `number,notes\n${rows.join("\n")}\n`;
    const setIds = async () => {
      const { items } = (await owner.call("GET", "/api/v1/change-sets")).body;
      return (items as { id: string }[]).map(({ id }) => id);
    };
    const before = await setIds();
    for (const dryRun of ["true", "false"]) {
      const refused = await importFile(csv, { dryRun });
      expect(refused).toMatchObject({ code: "too_large", limit: 20_000, unit: "bytes" });
    }
    expect(await setIds()).toEqual(before);
  });

  it("obeys the rows that its author may read and change, as the import does", async () => {
    const n = `R${serial}`;
    await importFile(`number,title,category\n${n}own,a,Red\n${n}other,b,Blue\n${n}leaves,c,Red\n`);
    const filter = { field: "category", op: "eq", value: "Red" };
    const grants = { incidents: { read: { filter }, create: true, update: { filter } } };
    const role = await owner.call("POST", "/api/v1/roles", { name: n, rights: [], grants });
    const login = { email: `${n}@example.com`, password: "a long password" };
    await owner.call("POST", "/api/v1/users", { ...login, name: n, role: role.body.id });
    const user = await signedInClient(server.origin, login);
    const rows = ["own,x,Red", "other,x,Red", "leaves,x,Blue", "new,x,Red", "hidden,x,Blue"];
    const csv = `number,title,category\n${rows.map((row) => n + row).join("\n")}\n`;
    const { dry, real } = await bothRuns(csv, { key: "number" }, "incidents", user);
    expect(real.counts[3]).toBeGreaterThan(0);
    expect(dry).toEqual(real);
  });
});
