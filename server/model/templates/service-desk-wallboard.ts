import type { Filter } from "../../../shared/filter/filter.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import { workOf } from "../../../shared/model/work-of.ts";
import { serviceDesk } from "./service-desk.ts";
import type { TemplateWallboard } from "./template-wallboard.ts";

/**
 * The wallboard of a service desk: open and overdue incidents above, their sources in the middle, priorities
 * below. Every tile is large enough to be read at five metres on 55 inches.
 */

const incidents = serviceDesk.tables.find(({ name }) => name === "incidents");
const open = (incidents && workOf(incidents)?.open) as Filter;
const counted = { table: "incidents", measure: { op: "count" as const } };

const numberTiles: Tile[] = [
  {
    ...counted,
    id: "open",
    kind: "number",
    title: "Open",
    filter: open,
    better: "less",
    layout: { x: 0, y: 0, w: 3, h: 2 },
  },
  {
    ...counted,
    id: "breaching",
    kind: "number",
    title: "Breaching",
    filter: { and: [open, { field: "due_at", op: "lt", value: "$now" }] },
    better: "less",
    thresholds: [
      { at: 1, word: "Overdue", colour: "orange" },
      { at: 25, word: "Act", colour: "red", hysteresis: 2 },
    ],
    layout: { x: 3, y: 0, w: 3, h: 2 },
  },
  {
    ...counted,
    id: "unassigned",
    kind: "number",
    title: "Unassigned",
    filter: { and: [open, { field: "assignee", op: "isEmpty", value: true }] },
    better: "less",
    thresholds: [
      { at: 10, word: "Needs owner", colour: "yellow", hysteresis: 1 },
      { at: 40, word: "Growing", colour: "red", hysteresis: 2 },
    ],
    layout: { x: 6, y: 0, w: 3, h: 2 },
  },
  {
    ...counted,
    id: "resolved-today",
    kind: "number",
    title: "Resolved today",
    filter: { field: "resolved_at", op: "gte", value: "$today" },
    trend: { field: "resolved_at", bucket: "day", count: 14 },
    better: "more",
    layout: { x: 9, y: 0, w: 3, h: 2 },
  },
];

const pictures: Tile[] = [
  {
    ...counted,
    id: "by-priority",
    kind: "breakdown",
    title: "Open by priority",
    filter: open,
    group: "priority",
    shape: "bars",
    order: ["key"],
    limit: 4,
    layout: { x: 0, y: 2, w: 4, h: 3 },
  },
  {
    ...counted,
    id: "opened-days",
    kind: "trend",
    title: "Opened by day",
    time: { field: "opened_at", bucket: "day", count: 14 },
    limit: 1,
    layout: { x: 4, y: 2, w: 5, h: 3 },
  },
  {
    id: "clock",
    kind: "clock",
    hours: "24",
    date: true,
    layout: { x: 9, y: 2, w: 3, h: 3 },
  },
];

/** Lists contain text: each gets half of the wallboard, so that none is cut. */
const queueTiles: Tile[] = [
  {
    ...counted,
    id: "critical",
    kind: "queue",
    title: "Newest critical",
    filter: { and: [open, { field: "priority", op: "eq", value: "1 - Critical" }] },
    order: ["-opened_at"],
    limit: 8,
    fields: ["title", "opened_at"],
    layout: { x: 0, y: 5, w: 6, h: 3 },
  },
  {
    ...counted,
    id: "by-group",
    kind: "lights",
    title: "By group",
    filter: open,
    group: "group",
    order: ["key"],
    limit: 6,
    thresholds: [
      { at: 40, word: "Busy", colour: "yellow", hysteresis: 2 },
      { at: 70, word: "Full", colour: "red", hysteresis: 3 },
    ],
    layout: { x: 6, y: 5, w: 6, h: 3 },
  },
];

export const serviceDeskWallboards: readonly TemplateWallboard[] = [
  {
    id: "service-desk",
    document: {
      name: "Service desk",
      tiles: [...numberTiles, ...pictures, ...queueTiles],
      grid: { columns: 12, rows: 8 },
      theme: "dark",
    },
  },
];
