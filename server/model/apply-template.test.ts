import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { ruleProblems } from "../../shared/model/rule-problems.ts";
import { openDatabase } from "../store/database.ts";
import { applyTemplate, templateOfFirstStart } from "./apply-template.ts";
import { ordersStock } from "./templates/orders-stock.ts";
import { ordersStockSeed } from "./templates/orders-stock-seed.ts";
import { createModelEnvironment } from "./testing/model-environment.ts";

it("fills Orders & stock with records that its own rules allow", () => {
  const now = new Date();
  const broken = ordersStockSeed(now).filter(({ table: name, id, values }) => {
    const table = findTable(ordersStock, name) as Table;
    const context = { me: null, now: now.toISOString() };
    const filled = table.fields.filter(({ expression }) => expression === undefined);
    const bad = filled.some((field) => !normalizeValue(field, values[field.name] ?? null).ok);
    return bad || Object.keys(ruleProblems(table, id, values, null, context)).length > 0;
  });
  expect(broken).toEqual([]);
});

it.each(databases.slice(0, 1))(
  "is set up on $name, numbered, linked and once only",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await applyTemplate(environment.database, "orders-stock");
    await applyTemplate(environment.database, "orders-stock");
    const { rows } = await environment.database.pool.query(
      `select count(*)::int as orders, min(number) as first, count(c.id)::int as linked
     from orders o join customers c on c.id = o.customer`,
    );
    expect(rows).toEqual([{ orders: 60, first: "ORD010001", linked: 60 }]);
  },
);

it.each(databases.slice(0, 1))(
  "is not chosen unasked beside tables of other programs, on $name",
  async (kind) => {
    const made = await kind.create();
    const database = openDatabase({
      connectionString: made.url,
      poolSize: 1,
      onError: () => {},
    });
    try {
      expect(await templateOfFirstStart(database, undefined)).toEqual({
        template: "service-desk",
        others: [],
      });
      await database.pool.query("create table invoices (id int primary key)");
      const others = ["invoices"];
      expect(await templateOfFirstStart(database, undefined)).toEqual({
        template: "empty",
        others,
      });
      expect((await templateOfFirstStart(database, "orders-stock")).template).toBe("orders-stock");
    } finally {
      await database.close();
      await made.drop();
    }
  },
);
