import { defineMessages } from "../define-messages.ts";

/** Transitions of a record's state, and choosing an option of another field. */
export const transitionMessages = defineMessages("transitions", {
  changesTo: "Changes the state to {state}",
  changedTo: "State changed to {state}.",
  newState: "New state",
  reason: "Reason",
  reasonHint: "Stored in the history of the record.",
  reasonRequired: "Enter a reason.",
  fieldRequired: "{field} is required for this transition.",
  finalState: "This is a final state. It has no transitions.",
  transitionsOf: "Transitions of this {record}",
  notAvailable: "This transition is not available.",
  notSent: "The record was changed before this was sent.",
  ofRecord: "{title} · {record}",
  changeState: "Change the state of this {record}",
  currentValue: "Current value",
  setsTo: "Sets {field} to {option}",
  current: "current",
});
