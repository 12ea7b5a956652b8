import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { withFormula } from "../../shared/csv-line.ts";
import { beginWriting, endWriting, findChangeSet } from "../store/change-sets/change-sets.ts";
import { readRejects, writeRejects } from "../store/change-sets/imported-rows.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../store/testing/store-environment.ts";
import { RejectedRows } from "./rejected-rows.ts";

const LONG = 100_000;
const MAX_BYTES = 1_048_576;
let environment: StoreEnvironment;

beforeAll(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createStoreEnvironment(kind);
});
afterAll(() => environment?.[Symbol.asyncDispose]());

it("is read in parts of a few bytes, however long its rows are", async () => {
  const { kysely } = environment.database;
  const set = { id: "s", title: null, actor: "user:a", origin: "import", reverts: null } as const;
  await beginWriting(kysely, { ...set, rights: null }, 60_000);
  await endWriting(kysely, "s");
  const lengths = Array.from({ length: 700 }, (_, n) => (n < 600 ? 5 : LONG));
  await writeRejects(
    kysely,
    "s",
    lengths.map((length, n) => ({ line: n + 2, cells: ["x".repeat(length)], errors: [] })),
  );
  const limits = { limit: 500, maxBytes: MAX_BYTES };
  expect(await readRejects(kysely, "s", { after: 0, ...limits })).toHaveLength(500);
  expect((await readRejects(kysely, "s", { after: 600, ...limits })).length).toBeLessThan(15);
  expect(await readRejects(kysely, "s", { after: 650, limit: 500, maxBytes: 1 })).toHaveLength(1);
  const found = await findChangeSet(kysely, "s");
  if (!found) return expect.unreachable();
  const lines: string[] = [];
  for await (const line of new RejectedRows(kysely, found).file()) lines.push(line);
  expect(lines.slice(1).map((line) => Number(line.split(",")[0]))).toEqual(
    lengths.map((_, n) => n + 2),
  );
});

it("has no cell that a spreadsheet runs", async () => {
  const { kysely } = environment.database;
  const set = { id: "f", title: null, actor: "user:a", origin: "import", reverts: null } as const;
  await beginWriting(kysely, { ...set, rights: null }, 60_000);
  await endWriting(kysely, "f");
  const cells = ["=1+1", "+cmd|' /C calc'!A0", "@x", "\n=1", "＝1", "－1", "plain", "a;＋1"];
  await writeRejects(kysely, "f", [{ line: 2, cells, errors: [] }]);
  const found = await findChangeSet(kysely, "f");
  if (!found) return expect.unreachable();
  let text = "";
  for await (const part of new RejectedRows(kysely, found).file()) text += part;
  const [, row = []] = parse(text, { bom: true, relax_column_count: true }) as string[][];
  expect(row.filter((cell) => /^[=+\-@＝＋－＠\n]/.test(cell))).toEqual([]);
  expect(row.slice(2).map(withFormula)).toEqual(cells);
});
