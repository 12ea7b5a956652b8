import type { Model } from "../../../shared/model/model.ts";
import type { Transition, Workflow } from "../../../shared/model/workflow.ts";
import { serviceDesk } from "../templates/service-desk.ts";
import { serviceDeskWorkflow } from "../templates/service-desk-workflow.ts";

const strict: Transition[] = [
  {
    name: "escalate",
    label: "Escalate",
    from: ["New"],
    to: "Active",
    guard: { field: "priority", op: "eq", value: "1 - Critical" },
  },
  {
    name: "take",
    label: "Take",
    from: ["New"],
    to: "Active",
    guard: {
      or: [
        { field: "assignee", op: "isEmpty" },
        { field: "assignee", op: "eq", value: "$me" },
      ],
    },
    sets: { assignee: "$me", opened_at: "$now", notes: "taken" },
  },
  {
    name: "finish",
    label: "Finish",
    from: ["New", "Active"],
    to: "Resolved",
    requires: ["resolution_code", "location"],
    reason: true,
  },
  { name: "archive", label: "Archive", from: ["Resolved"], to: "Closed", roles: ["admin"] },
];

const workflow: Workflow = {
  states: serviceDeskWorkflow.states.map((state) =>
    state.value === "Active"
      ? { ...state, locks: ["impact", "resolution_code", "opened_at"] }
      : state,
  ),
  transitions: [...serviceDeskWorkflow.transitions, ...strict],
};

/** The service desk with a workflow that has every kind of rule. */
export const guardedModel: Model = {
  ...serviceDesk,
  tables: serviceDesk.tables.map((table) =>
    table.name === "incidents" ? { ...table, workflow } : table,
  ),
};
