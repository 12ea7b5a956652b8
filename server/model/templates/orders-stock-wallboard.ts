import type { Filter } from "../../../shared/filter/filter.ts";
import { type TemplateWallboard, tile } from "./template.ts";

/** The wallboard of a dispatch team: orders and backlog above, progress in the middle, low stock below. */

const open: Filter = { field: "state", op: "in", value: ["Draft", "Placed", "Shipped"] };
const placed: Filter = { field: "state", op: "eq", value: "Placed" };
const onSale: Filter = { not: { field: "discontinued", op: "eq", value: true } };
const reorder: Filter = { field: "stock", op: "lte", value: { field: "reorder_at" } };
const orders = { table: "orders", measure: { op: "count" as const } };
const products = { table: "products", measure: { op: "count" as const } };
const worth = { table: "orders", measure: { op: "sum" as const, field: "total" }, decimals: 0 };
const days = { field: "ordered_at", bucket: "day" as const, count: 14 };
const byDay = { kind: "trend" as const, time: days, limit: 1 };

const tiles = [
  tile("open", "Open orders", [0, 0, 3, 2], { ...orders, kind: "number", filter: open }),
  tile("worth", "Their worth", [3, 0, 3, 2], { ...worth, kind: "number", filter: open }),
  tile("to-ship", "To be shipped", [6, 0, 3, 2], {
    ...orders,
    kind: "number",
    filter: placed,
    better: "less",
    thresholds: [
      { at: 8, word: "Waiting", colour: "yellow", hysteresis: 1 },
      { at: 20, word: "Growing", colour: "red", hysteresis: 2 },
    ],
  }),
  tile("sold-out", "Sold out", [9, 0, 3, 2], {
    ...products,
    kind: "number",
    filter: { and: [onSale, { field: "stock", op: "lte", value: 0 }] },
    better: "less",
    thresholds: [{ at: 1, word: "Reorder", colour: "red" }],
  }),
  tile("by-state", "Orders by state", [0, 2, 4, 3], {
    ...orders,
    kind: "breakdown",
    group: "state",
    shape: "donut",
    order: ["key"],
    limit: 6,
  }),
  tile("ordered-days", "Orders by day", [4, 2, 4, 3], { ...orders, ...byDay }),
  tile("sold-days", "Worth by day", [8, 2, 4, 3], { ...worth, ...byDay }),
  tile("reorder", "To be reordered", [0, 5, 6, 3], {
    ...products,
    kind: "queue",
    filter: { and: [onSale, reorder] },
    order: ["stock"],
    limit: 8,
    fields: ["name", "stock", "reorder_at"],
  }),
  tile("oldest", "Longest waiting", [6, 5, 6, 3], {
    ...orders,
    kind: "queue",
    filter: placed,
    order: ["ordered_at"],
    limit: 8,
    fields: ["number", "customer", "ordered_at"],
  }),
];

export const ordersStockWallboards: readonly TemplateWallboard[] = [
  {
    id: "orders-stock",
    document: { name: "Orders and stock", tiles, grid: { columns: 12, rows: 8 }, theme: "dark" },
  },
];
