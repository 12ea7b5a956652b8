import type { Field, Model, Table } from "../../../shared/model/model.ts";
import type { Workflow } from "../../../shared/model/workflow.ts";

/** A second demo of another shape: an order has lines, lines take from stock, a rule compares dates. */

const orderStates: Workflow = {
  states: [
    { value: "Draft", open: true, initial: true },
    { value: "Placed", open: true },
    { value: "Shipped", open: true, locks: ["customer"] },
    { value: "Delivered", open: false, locks: "all" },
    { value: "Cancelled", open: false, locks: "all" },
  ],
  transitions: [
    {
      name: "place",
      label: "Place",
      from: ["Draft"],
      to: "Placed",
      requires: ["customer"],
      sets: { ordered_at: "$now" },
    },
    { name: "ship", label: "Ship", from: ["Placed"], to: "Shipped", sets: { shipped_at: "$now" } },
    { name: "deliver", label: "Delivered", from: ["Shipped"], to: "Delivered" },
    { name: "cancel", label: "Cancel", from: ["Draft", "Placed"], to: "Cancelled", reason: true },
  ],
};

const orderFields: Field[] = [
  {
    name: "number",
    label: "Number",
    type: "text",
    unique: true,
    automatic: { prefix: "ORD", digits: 6, start: 10_001 },
    width: 120,
  },
  {
    name: "state",
    label: "State",
    type: "select",
    default: "Draft",
    indexed: true,
    options: [
      { value: "Draft", colour: "gray" },
      { value: "Placed", colour: "blue" },
      { value: "Shipped", colour: "indigo" },
      { value: "Delivered", colour: "teal" },
      { value: "Cancelled", colour: "red" },
    ],
    width: 130,
  },
  { name: "customer", label: "Customer", type: "link", target: "customers", width: 200 },
  { name: "ordered_at", label: "Ordered", type: "timestamp", indexed: true, width: 160 },
  { name: "shipped_at", label: "Shipped", type: "timestamp", width: 160 },
  { name: "total", label: "Total", type: "money", currency: "EUR", minimum: 0, width: 120 },
  { name: "discount", label: "Discount", type: "percent", minimum: 0, maximum: 50, width: 110 },
  { name: "handled_by", label: "Handled by", type: "person", width: 160 },
  { name: "notes", label: "Notes", type: "longText", width: 280 },
];

const orders: Table = {
  name: "orders",
  label: "Orders",
  recordLabel: "order",
  display: "number",
  stateField: "state",
  workflow: orderStates,
  fields: orderFields,
  columns: ["number", "state", "customer", "ordered_at", "shipped_at", "total", "handled_by"],
  sort: ["-number"],
  rules: [
    {
      filter: {
        or: [
          { field: "shipped_at", op: "isEmpty", value: true },
          { field: "shipped_at", op: "gte", value: { field: "ordered_at" } },
        ],
      },
      message: "An order can't be shipped before it was placed.",
    },
  ],
};

const orderLines: Table = {
  name: "order_lines",
  label: "Order lines",
  recordLabel: "line",
  display: "product",
  fields: [
    { name: "order", label: "Order", type: "link", target: "orders", required: true, width: 140 },
    { name: "product", label: "Product", type: "link", target: "products", required: true },
    { name: "quantity", label: "Quantity", type: "integer", minimum: 1, default: 1, width: 110 },
    { name: "price", label: "Price", type: "money", currency: "EUR", minimum: 0, width: 120 },
    {
      name: "amount",
      label: "Amount",
      type: "money",
      currency: "EUR",
      expression: "quantity * price",
      width: 130,
    },
  ],
  columns: ["order", "product", "quantity", "price", "amount"],
  sort: ["order"],
};

const products: Table = {
  name: "products",
  label: "Products",
  recordLabel: "product",
  display: "name",
  idFrom: "sku",
  fields: [
    {
      name: "sku",
      label: "Article number",
      type: "text",
      required: true,
      unique: true,
      immutable: true,
      pattern: "[A-Z]{3}-\\d{4}",
      patternHint: "Enter three capitals, a dash and four digits, like CHR-0042.",
      width: 140,
    },
    { name: "name", label: "Name", type: "text", required: true, width: 260 },
    { name: "price", label: "Price", type: "money", currency: "EUR", minimum: 0, width: 120 },
    { name: "stock", label: "In stock", type: "integer", minimum: 0, default: 0, indexed: true },
    { name: "reorder_at", label: "Reorder at", type: "integer", minimum: 0, width: 120 },
    {
      name: "supplier",
      label: "Supplier",
      type: "link",
      target: "suppliers",
      onDelete: "unlink",
      width: 180,
    },
    { name: "discontinued", label: "Discontinued", type: "boolean", default: false, width: 120 },
    { name: "sheet", label: "Data sheet", type: "url", width: 200 },
  ],
  columns: ["sku", "name", "price", "stock", "reorder_at", "supplier", "discontinued"],
  sort: ["sku"],
};

/** Suppliers and customers have the same fields. */
function parties(name: string, label: string, recordLabel: string): Table {
  return {
    name,
    label,
    recordLabel,
    display: "name",
    fields: [
      { name: "name", label: "Name", type: "text", required: true, width: 240 },
      { name: "email", label: "Email", type: "email", width: 240 },
      { name: "phone", label: "Phone", type: "phone", width: 160 },
      { name: "city", label: "City", type: "text", width: 160 },
    ],
    columns: ["name", "email", "phone", "city"],
    sort: ["name"],
  };
}

export const ordersStock: Model = {
  version: 1,
  tables: [
    orders,
    orderLines,
    products,
    parties("customers", "Customers", "customer"),
    parties("suppliers", "Suppliers", "supplier"),
  ],
};
