import { defineMessages } from "../define-messages.ts";

/** Words that stand for values of fields. Also part of the displays, which load little. */
export const valueMessages = defineMessages("values", {
  yes: "Yes",
  no: "No",
  empty: "empty",
  erased: "[erased]",
  someoneElse: "Someone else",
  changedTo: "changed to",
  deletedRecord: "{title} (deleted)",
  unchangedLines: "{count, plural, one {# unchanged line} other {# unchanged lines}}",
});
