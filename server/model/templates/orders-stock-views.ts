import { type TemplateView, view } from "./template.ts";

/** What must be shipped, what must be bought, what may no longer be sold. */
export const ordersStockViews: readonly TemplateView[] = [
  view("orders", "to-ship", "To ship", {
    filter: { field: "state", op: "eq", value: "Placed" },
    sort: ["ordered_at"],
  }),
  view("orders", "on-the-way", "On the way", {
    filter: { field: "state", op: "eq", value: "Shipped" },
    sort: ["shipped_at"],
  }),
  view("products", "to-reorder", "To reorder", {
    filter: {
      and: [
        { field: "discontinued", op: "ne", value: true },
        { field: "stock", op: "lte", value: { field: "reorder_at" } },
      ],
    },
    sort: ["stock"],
  }),
];
