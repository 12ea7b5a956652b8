import { defineMessages } from "../define-messages.ts";

/** Editing many records at once: the selected ones, or all of a view. */
export const bulkEditMessages = defineMessages("bulkEdit", {
  editSelected: "Edit…",
  editAll: "Edit all…",
  title: "Edit {records}",
  titleAbout: "Edit about {records}",
  titleMoreThan: "Edit more than {records}",
  lead: "You'll review the changes before anything is saved.",
  leadDirect: "Saved at once. You can undo it.",
  change: "Change",
  fields: "Set a field",
  transitions: "Change the state",
  clear: "Clear this field",
  keepHint: "Leave empty to keep the value of each record.",
  reasonHint: "Stored in the history of each record.",
  required: "{field} is required.",
  valueOrClear: "Enter a value for {field}, or clear the field.",
  preview: "Preview changes",
  apply: "Change {records}",
  changed: "{count, plural, one {# record changed.} other {# records changed.}}",
  setTitle: "Set {field} of {records}",
  transitionTitle: "{transition}: {records}",
});
