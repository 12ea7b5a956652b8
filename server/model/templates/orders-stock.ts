import type { Field, Model } from "../../../shared/model/model.ts";
import type { Workflow } from "../../../shared/model/workflow.ts";
import { field, table } from "./template.ts";

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

const productFields: Field[] = [
  field("sku", "Article number", "text", 140, {
    required: true,
    unique: true,
    immutable: true,
    pattern: "[A-Z]{3}-\\d{4}",
    patternHint: "Enter three capitals, a dash and four digits, like CHR-0042.",
  }),
  field("name", "Name", "text", 260, { required: true }),
  field("price", "Price", "money", 120, { currency: "EUR", minimum: 0 }),
  { name: "stock", label: "In stock", type: "integer", minimum: 0, default: 0, indexed: true },
  field("reorder_at", "Reorder at", "integer", 120, { minimum: 0 }),
  field("supplier", "Supplier", "link", 180, { target: "suppliers", onDelete: "unlink" }),
  field("discontinued", "Discontinued", "boolean", 120, { default: false }),
  field("sheet", "Data sheet", "url", 200),
];

const orderFields: Field[] = [
  field("number", "Number", "text", 120, {
    unique: true,
    automatic: { prefix: "ORD", digits: 6, start: 10_001 },
  }),
  field("state", "State", "select", 130, {
    default: "Draft",
    indexed: true,
    options: [
      { value: "Draft", colour: "gray" },
      { value: "Placed", colour: "blue" },
      { value: "Shipped", colour: "indigo" },
      { value: "Delivered", colour: "teal" },
      { value: "Cancelled", colour: "red" },
    ],
  }),
  field("customer", "Customer", "link", 200, { target: "customers" }),
  field("ordered_at", "Ordered", "timestamp", 160, { indexed: true }),
  field("shipped_at", "Shipped", "timestamp", 160),
  field("total", "Total", "money", 120, { currency: "EUR", minimum: 0 }),
  field("discount", "Discount", "percent", 110, { minimum: 0, maximum: 50 }),
  field("handled_by", "Handled by", "person", 160),
  field("notes", "Notes", "longText", 280),
];

/** Suppliers and customers have the same fields. */
const partyFields: Field[] = [
  field("name", "Name", "text", 240, { required: true }),
  field("email", "Email", "email", 240),
  field("phone", "Phone", "phone", 160),
  field("city", "City", "text", 160),
];

export const ordersStock: Model = {
  version: 1,
  tables: [
    table("orders", "Orders", "order", orderFields, {
      display: "number",
      stateField: "state",
      workflow: orderStates,
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
    }),
    table(
      "order_lines",
      "Order lines",
      "line",
      [
        field("order", "Order", "link", 140, { target: "orders", required: true }),
        { name: "product", label: "Product", type: "link", target: "products", required: true },
        field("quantity", "Quantity", "integer", 110, { minimum: 1, default: 1 }),
        field("price", "Price", "money", 120, { currency: "EUR", minimum: 0 }),
        field("amount", "Amount", "money", 130, {
          currency: "EUR",
          expression: "quantity * price",
        }),
      ],
      { display: "product", sort: ["order"] },
    ),
    table("products", "Products", "product", productFields, {
      idFrom: "sku",
      columns: ["sku", "name", "price", "stock", "reorder_at", "supplier", "discontinued"],
      sort: ["sku"],
    }),
    table("customers", "Customers", "customer", partyFields),
    table("suppliers", "Suppliers", "supplier", partyFields),
  ],
};
