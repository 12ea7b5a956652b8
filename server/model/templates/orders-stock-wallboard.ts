import type { Filter } from "../../../shared/filter/filter.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import type { TemplateWallboard } from "./template-wallboard.ts";

/** The wallboard of a dispatch team: orders and backlog above, progress in the middle, low stock below. */

const open: Filter = { field: "state", op: "in", value: ["Draft", "Placed", "Shipped"] };
const placed: Filter = { field: "state", op: "eq", value: "Placed" };
const onSale: Filter = { not: { field: "discontinued", op: "eq", value: true } };
const orders = { table: "orders", measure: { op: "count" as const } };
const products = { table: "products", measure: { op: "count" as const } };

const numberTiles: Tile[] = [
  {
    ...orders,
    id: "open",
    kind: "number",
    title: "Open orders",
    filter: open,
    layout: { x: 0, y: 0, w: 3, h: 2 },
  },
  {
    table: "orders",
    measure: { op: "sum", field: "total" },
    id: "worth",
    kind: "number",
    title: "Their worth",
    filter: open,
    decimals: 0,
    layout: { x: 3, y: 0, w: 3, h: 2 },
  },
  {
    ...orders,
    id: "to-ship",
    kind: "number",
    title: "To be shipped",
    filter: placed,
    better: "less",
    thresholds: [
      { at: 8, word: "Waiting", colour: "yellow", hysteresis: 1 },
      { at: 20, word: "Growing", colour: "red", hysteresis: 2 },
    ],
    layout: { x: 6, y: 0, w: 3, h: 2 },
  },
  {
    ...products,
    id: "sold-out",
    kind: "number",
    title: "Sold out",
    filter: { and: [onSale, { field: "stock", op: "lte", value: 0 }] },
    better: "less",
    thresholds: [{ at: 1, word: "Reorder", colour: "red" }],
    layout: { x: 9, y: 0, w: 3, h: 2 },
  },
];

const pictures: Tile[] = [
  {
    ...orders,
    id: "by-state",
    kind: "breakdown",
    title: "Orders by state",
    group: "state",
    shape: "donut",
    order: ["key"],
    limit: 6,
    layout: { x: 0, y: 2, w: 4, h: 3 },
  },
  {
    ...orders,
    id: "ordered-days",
    kind: "trend",
    title: "Orders by day",
    time: { field: "ordered_at", bucket: "day", count: 14 },
    limit: 1,
    layout: { x: 4, y: 2, w: 4, h: 3 },
  },
  {
    table: "orders",
    measure: { op: "sum", field: "total" },
    id: "sold-days",
    kind: "trend",
    title: "Worth by day",
    time: { field: "ordered_at", bucket: "day", count: 14 },
    limit: 1,
    decimals: 0,
    layout: { x: 8, y: 2, w: 4, h: 3 },
  },
];

const lists: Tile[] = [
  {
    ...products,
    id: "reorder",
    kind: "queue",
    title: "To be reordered",
    filter: { and: [onSale, { field: "stock", op: "lte", value: { field: "reorder_at" } }] },
    order: ["stock"],
    limit: 8,
    fields: ["name", "stock", "reorder_at"],
    layout: { x: 0, y: 5, w: 6, h: 3 },
  },
  {
    ...orders,
    id: "oldest",
    kind: "queue",
    title: "Longest waiting",
    filter: placed,
    order: ["ordered_at"],
    limit: 8,
    fields: ["number", "customer", "ordered_at"],
    layout: { x: 6, y: 5, w: 6, h: 3 },
  },
];

export const ordersStockWallboards: readonly TemplateWallboard[] = [
  {
    id: "orders-stock",
    document: {
      name: "Orders and stock",
      tiles: [...numberTiles, ...pictures, ...lists],
      grid: { columns: 12, rows: 8 },
      theme: "dark",
    },
  },
];
