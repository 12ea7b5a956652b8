import type { Filter } from "../../../shared/filter/filter.ts";
import type { ViewColumn } from "../../../shared/model/view/view.ts";
import { workOf } from "../../../shared/model/work-of.ts";
import { serviceDesk } from "./service-desk.ts";
import { type TemplateView, view } from "./template.ts";

/** The daily views of a service desk: by assignee, overdue, waiting for others. */

const incidents = serviceDesk.tables.find(({ name }) => name === "incidents");
const open = (incidents && workOf(incidents)?.open) as Filter;
const waiting = ["Awaiting User Info", "Awaiting Problem", "Awaiting Vendor", "Awaiting Evidence"];

/** These columns, the first two pinned (number and title), as in the table without a view, and the table's other visible columns hidden. */
function only(...shown: string[]): ViewColumn[] {
  const others = (incidents?.columns ?? []).filter((field) => !shown.includes(field));
  return [
    ...shown.map((field, at) => ({ field, ...(at < 2 && { pinned: true }) })),
    ...others.map((field) => ({ field, hidden: true })),
  ];
}

export const serviceDeskViews: readonly TemplateView[] = [
  view("incidents", "my-work", "My work", {
    filter: { and: [open, { field: "assignee", op: "eq", value: "$me" }] },
    sort: ["priority", "due_at"],
  }),
  view("incidents", "unassigned", "Unassigned", {
    filter: { and: [open, { field: "assignee", op: "isEmpty", value: true }] },
    sort: ["priority", "opened_at"],
    group: "priority",
  }),
  view("incidents", "overdue", "Overdue", {
    filter: { and: [open, { field: "due_at", op: "lt", value: "$now" }] },
    sort: ["due_at"],
    columns: only("number", "title", "due_at", "priority", "state", "group", "assignee", "caller"),
  }),
  view("incidents", "waiting", "Waiting for others", {
    filter: { field: "state", op: "in", value: waiting },
    sort: ["state", "due_at"],
  }),
  view("incidents", "resolved-this-week", "Resolved this week", {
    filter: { field: "resolved_at", op: "gte", value: { ago: "7d" } },
    sort: ["-resolved_at"],
    columns: only("number", "title", "resolved_at", "sla_met", "state", "group", "assignee"),
  }),
  view("people", "important-callers", "Important callers", {
    filter: { field: "vip", op: "eq", value: true },
    sort: ["name"],
  }),
];
