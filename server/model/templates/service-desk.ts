import type { Field, Model, Option } from "../../../shared/model/model.ts";
import { serviceDeskWorkflow } from "./service-desk-workflow.ts";

/** The default demo: a real service desk's tables, so that a newcomer sees real work. */

const states: Option[] = [
  { value: "New", colour: "blue", open: true },
  { value: "Active", colour: "indigo", open: true },
  { value: "Awaiting User Info", colour: "yellow", open: true },
  { value: "Awaiting Problem", colour: "orange", open: true },
  { value: "Awaiting Vendor", colour: "orange", open: true },
  { value: "Awaiting Evidence", colour: "orange", open: true },
  { value: "Resolved", colour: "teal", open: false },
  { value: "Closed", colour: "gray", open: false },
];

const levels: Option[] = [
  { value: "1 - High", colour: "red" },
  { value: "2 - Medium", colour: "yellow" },
  { value: "3 - Low", colour: "gray" },
];

const priorities: Option[] = [
  { value: "1 - Critical", colour: "red" },
  { value: "2 - High", colour: "orange" },
  { value: "3 - Moderate", colour: "yellow" },
  { value: "4 - Low", colour: "gray" },
];

/** Priority by impact and urgency, as the service desk's own log has it. */
const priorityOf = {
  "1 - High|1 - High": "1 - Critical",
  "1 - High|2 - Medium": "2 - High",
  "1 - High|3 - Low": "3 - Moderate",
  "2 - Medium|1 - High": "2 - High",
  "2 - Medium|2 - Medium": "3 - Moderate",
  "2 - Medium|3 - Low": "4 - Low",
  "3 - Low|1 - High": "3 - Moderate",
  "3 - Low|2 - Medium": "4 - Low",
  "3 - Low|3 - Low": "4 - Low",
};

const incidentFields: Field[] = [
  {
    name: "number",
    label: "Number",
    type: "text",
    unique: true,
    automatic: { prefix: "INC", digits: 7, start: 100_001 },
    width: 120,
  },
  { name: "title", label: "Title", type: "text", width: 320 },
  {
    name: "state",
    label: "State",
    type: "select",
    options: states,
    default: "New",
    indexed: true,
    width: 160,
  },
  { name: "impact", label: "Impact", type: "select", options: levels, width: 120 },
  { name: "urgency", label: "Urgency", type: "select", options: levels, width: 120 },
  {
    name: "priority",
    label: "Priority",
    type: "select",
    indexed: true,
    options: priorities,
    derive: { fields: ["impact", "urgency"], values: priorityOf },
    help: "Derived from impact and urgency if left empty.",
    width: 130,
  },
  { name: "category", label: "Category", type: "text", width: 140 },
  { name: "subcategory", label: "Subcategory", type: "text", width: 140 },
  { name: "service", label: "Service", type: "link", target: "services", width: 150 },
  { name: "group", label: "Group", type: "link", target: "groups", width: 190 },
  { name: "assignee", label: "Assignee", type: "person", indexed: true, width: 160 },
  { name: "caller", label: "Caller", type: "link", target: "people", width: 150 },
  { name: "location", label: "Location", type: "text", width: 140 },
  {
    name: "opened_at",
    label: "Opened",
    type: "timestamp",
    default: "$now",
    indexed: true,
    width: 160,
  },
  { name: "due_at", label: "Due", type: "timestamp", indexed: true, width: 160 },
  { name: "resolved_at", label: "Resolved", type: "timestamp", width: 160 },
  { name: "closed_at", label: "Closed", type: "timestamp", width: 160 },
  { name: "reassignments", label: "Reassignments", type: "integer", minimum: 0, width: 120 },
  { name: "reopenings", label: "Reopenings", type: "integer", minimum: 0, width: 120 },
  { name: "sla_met", label: "SLA met", type: "boolean", width: 100 },
  { name: "resolution_code", label: "Resolution code", type: "text", width: 140 },
  { name: "notes", label: "Notes", type: "longText", width: 280 },
];

export const serviceDesk: Model = {
  version: 1,
  tables: [
    {
      name: "incidents",
      label: "Incidents",
      recordLabel: "incident",
      display: "number",
      stateField: "state",
      workflow: serviceDeskWorkflow,
      fields: incidentFields,
      columns: [
        "number",
        "title",
        "state",
        "priority",
        "group",
        "assignee",
        "caller",
        "category",
        "opened_at",
        "due_at",
        "impact",
        "urgency",
        "notes",
      ],
      sort: ["-opened_at"],
    },
    {
      name: "groups",
      label: "Groups",
      recordLabel: "group",
      display: "name",
      idFrom: "name",
      fields: [
        { name: "name", label: "Name", type: "text", required: true, unique: true, width: 220 },
        { name: "email", label: "Email", type: "email", width: 240 },
        { name: "description", label: "Description", type: "longText", width: 360 },
      ],
      columns: ["name", "email", "description"],
      sort: ["name"],
    },
    {
      name: "people",
      label: "People",
      recordLabel: "person",
      display: "name",
      fields: [
        { name: "name", label: "Name", type: "text", required: true, width: 220 },
        { name: "email", label: "Email", type: "email", width: 240 },
        { name: "phone", label: "Phone", type: "phone", width: 160 },
        { name: "location", label: "Location", type: "text", width: 160 },
        { name: "vip", label: "VIP", type: "boolean", width: 90 },
      ],
      columns: ["name", "email", "phone", "location", "vip"],
      sort: ["name"],
    },
    {
      name: "services",
      label: "Services",
      recordLabel: "service",
      display: "name",
      idFrom: "name",
      fields: [
        { name: "name", label: "Name", type: "text", required: true, unique: true, width: 220 },
        { name: "owner", label: "Owner", type: "person", width: 180 },
        { name: "criticality", label: "Criticality", type: "select", options: levels, width: 140 },
        { name: "monthly_cost", label: "Monthly cost", type: "money", currency: "EUR", scale: 2 },
        { name: "description", label: "Description", type: "longText", width: 360 },
      ],
      columns: ["name", "owner", "criticality", "monthly_cost", "description"],
      sort: ["name"],
    },
  ],
};
