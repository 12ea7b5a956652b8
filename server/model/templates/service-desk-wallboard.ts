import type { Filter } from "../../../shared/filter/filter.ts";
import { workOf } from "../../../shared/model/work-of.ts";
import { serviceDesk } from "./service-desk.ts";
import { type TemplateWallboard, tile } from "./template.ts";

/**
 * The wallboard of a service desk: open and overdue incidents above, their sources in the middle, priorities
 * below. Every tile is large enough to be read at five metres on 55 inches.
 */

const incidents = serviceDesk.tables.find(({ name }) => name === "incidents");
const open = (incidents && workOf(incidents)?.open) as Filter;
const counted = { table: "incidents", measure: { op: "count" as const } };
const number = { ...counted, kind: "number" as const };

const tiles = [
  tile("open", "Open", [0, 0, 3, 2], { ...number, filter: open, better: "less" }),
  tile("breaching", "Breaching", [3, 0, 3, 2], {
    ...number,
    filter: { and: [open, { field: "due_at", op: "lt", value: "$now" }] },
    better: "less",
    thresholds: [
      { at: 1, word: "Overdue", colour: "orange" },
      { at: 25, word: "Act", colour: "red", hysteresis: 2 },
    ],
  }),
  tile("unassigned", "Unassigned", [6, 0, 3, 2], {
    ...number,
    filter: { and: [open, { field: "assignee", op: "isEmpty", value: true }] },
    better: "less",
    thresholds: [
      { at: 10, word: "Needs owner", colour: "yellow", hysteresis: 1 },
      { at: 40, word: "Growing", colour: "red", hysteresis: 2 },
    ],
  }),
  tile("resolved-today", "Resolved today", [9, 0, 3, 2], {
    ...number,
    filter: { field: "resolved_at", op: "gte", value: "$today" },
    trend: { field: "resolved_at", bucket: "day", count: 14 },
    better: "more",
  }),
  tile("by-priority", "Open by priority", [0, 2, 4, 3], {
    ...counted,
    kind: "breakdown",
    filter: open,
    group: "priority",
    shape: "bars",
    order: ["key"],
    limit: 4,
  }),
  tile("opened-days", "Opened by day", [4, 2, 5, 3], {
    ...counted,
    kind: "trend",
    time: { field: "opened_at", bucket: "day", count: 14 },
    limit: 1,
  }),
  tile("clock", null, [9, 2, 3, 3], { kind: "clock", hours: "24", date: true }),
  // Lists contain text: each gets half of the wallboard, so that none is cut.
  tile("critical", "Newest critical", [0, 5, 6, 3], {
    ...counted,
    kind: "queue",
    filter: { and: [open, { field: "priority", op: "eq", value: "1 - Critical" }] },
    order: ["-opened_at"],
    limit: 8,
    fields: ["title", "opened_at"],
  }),
  tile("by-group", "By group", [6, 5, 6, 3], {
    ...counted,
    kind: "lights",
    filter: open,
    group: "group",
    order: ["key"],
    limit: 6,
    thresholds: [
      { at: 40, word: "Busy", colour: "yellow", hysteresis: 2 },
      { at: 70, word: "Full", colour: "red", hysteresis: 3 },
    ],
  }),
];

export const serviceDeskWallboards: readonly TemplateWallboard[] = [
  {
    id: "service-desk",
    document: { name: "Service desk", tiles, grid: { columns: 12, rows: 8 }, theme: "dark" },
  },
];
