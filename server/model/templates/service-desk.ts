import type { Field, Model, Option } from "../../../shared/model/model.ts";
import { serviceDeskWorkflow } from "./service-desk-workflow.ts";
import { field, table } from "./template.ts";

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
  field("number", "Number", "text", 120, {
    unique: true,
    automatic: { prefix: "INC", digits: 7, start: 100_001 },
  }),
  field("title", "Title", "text", 290),
  field("state", "State", "select", 160, { options: states, default: "New", indexed: true }),
  field("impact", "Impact", "select", 120, { options: levels }),
  field("urgency", "Urgency", "select", 120, { options: levels }),
  field("priority", "Priority", "select", 130, {
    indexed: true,
    options: priorities,
    derive: { fields: ["impact", "urgency"], values: priorityOf },
    help: "Leave empty to calculate it from impact and urgency.",
  }),
  field("category", "Category", "text", 140),
  field("subcategory", "Subcategory", "text", 140),
  field("service", "Service", "link", 150, { target: "services" }),
  field("group", "Group", "link", 170, { target: "groups" }),
  field("assignee", "Assignee", "person", 160, { indexed: true }),
  field("caller", "Caller", "link", 150, { target: "people" }),
  field("location", "Location", "text", 140),
  field("opened_at", "Opened", "timestamp", 160, { default: "$now", indexed: true }),
  field("due_at", "Due", "timestamp", 160, { indexed: true }),
  field("resolved_at", "Resolved", "timestamp", 160),
  field("closed_at", "Closed", "timestamp", 160),
  field("reassignments", "Reassignments", "integer", 120, { minimum: 0 }),
  field("reopenings", "Reopenings", "integer", 120, { minimum: 0 }),
  field("sla_met", "SLA met", "boolean", 100),
  field("resolution_code", "Resolution code", "text", 140),
  field("notes", "Notes", "longText", 280),
];

export const serviceDesk: Model = {
  version: 1,
  tables: [
    table("incidents", "Incidents", "incident", incidentFields, {
      display: "number",
      stateField: "state",
      workflow: serviceDeskWorkflow,
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
    }),
    table(
      "groups",
      "Groups",
      "group",
      [
        field("name", "Name", "text", 220, { required: true, unique: true }),
        field("email", "Email", "email", 240),
        field("description", "Description", "longText", 360),
      ],
      { idFrom: "name" },
    ),
    table("people", "People", "person", [
      field("name", "Name", "text", 220, { required: true }),
      field("email", "Email", "email", 240),
      field("phone", "Phone", "phone", 160),
      field("location", "Location", "text", 160),
      field("vip", "VIP", "boolean", 90),
    ]),
    table(
      "services",
      "Services",
      "service",
      [
        field("name", "Name", "text", 220, { required: true, unique: true }),
        field("owner", "Owner", "person", 180),
        field("criticality", "Criticality", "select", 140, { options: levels }),
        { name: "monthly_cost", label: "Monthly cost", type: "money", currency: "EUR", scale: 2 },
        field("description", "Description", "longText", 360),
      ],
      { idFrom: "name" },
    ),
  ],
};
