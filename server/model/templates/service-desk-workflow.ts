import type { Transition, Workflow } from "../../../shared/model/workflow.ts";

/** The states of an incident and its transitions, as in a real service desk's log. */

const waiting = ["Awaiting User Info", "Awaiting Problem", "Awaiting Vendor", "Awaiting Evidence"];

/** Waiting states change into each other freely; a new incident waits only for its user or a problem. */
function wait(name: string, to: string, label: string, alsoFrom: string[] = []): Transition {
  return { name, label, from: [...alsoFrom, "Active", ...waiting.filter((s) => s !== to)], to };
}

export const serviceDeskWorkflow: Workflow = {
  states: [
    { value: "New", open: true, initial: true },
    { value: "Active", open: true },
    ...waiting.map((value) => ({ value, open: true })),
    { value: "Resolved", open: false },
    { value: "Closed", open: false, locks: "all" },
  ],
  transitions: [
    { name: "activate", label: "Start work", from: ["New", ...waiting], to: "Active" },
    wait("await_user_info", "Awaiting User Info", "Ask the user", ["New"]),
    wait("await_problem", "Awaiting Problem", "Wait for a problem", ["New"]),
    wait("await_vendor", "Awaiting Vendor", "Wait for a vendor"),
    wait("await_evidence", "Awaiting Evidence", "Wait for evidence"),
    {
      name: "resolve",
      label: "Resolve",
      from: ["New", "Active", ...waiting],
      to: "Resolved",
      sets: { resolved_at: "$now" },
    },
    {
      name: "reopen",
      label: "Reopen",
      from: ["Resolved"],
      to: "Active",
      reason: true,
      sets: { resolved_at: null },
    },
    {
      name: "close",
      label: "Close",
      from: ["Resolved"],
      to: "Closed",
      sets: { closed_at: "$now" },
    },
  ],
};
