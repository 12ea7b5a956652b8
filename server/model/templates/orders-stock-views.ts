import type { TemplateView } from "./template-view.ts";

/** What must be shipped, what must be bought, what may no longer be sold. */

const plain = { columns: [], group: null };

export const ordersStockViews: readonly TemplateView[] = [
  {
    ...plain,
    id: "to-ship",
    table: "orders",
    name: "To ship",
    filter: { field: "state", op: "eq", value: "Placed" },
    sort: ["ordered_at"],
  },
  {
    ...plain,
    id: "on-the-way",
    table: "orders",
    name: "On the way",
    filter: { field: "state", op: "eq", value: "Shipped" },
    sort: ["shipped_at"],
  },
  {
    ...plain,
    id: "to-reorder",
    table: "products",
    name: "To reorder",
    filter: {
      and: [
        { field: "discontinued", op: "ne", value: true },
        { field: "stock", op: "lte", value: { field: "reorder_at" } },
      ],
    },
    sort: ["stock"],
  },
];
