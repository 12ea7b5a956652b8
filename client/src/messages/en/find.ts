import { defineMessages } from "../define-messages.ts";

/** Find in the rows of a view. */
export const findMessages = defineMessages("find", {
  find: "Find in this view",
  findShort: "Find",
  bar: "Find in this view",
  input: "Text to find",
  next: "Next match (Enter)",
  previous: "Previous match (Shift+Enter)",
  close: "Close find (Esc)",
  place: "{at} of {count}",
  none: "No matches",
  searching: "Searching…",
  failed: "Not all rows could be searched.",
  retry: "Try again",
  bounded: "in the first {count} rows",
  boundedHint:
    "Find looks through the first {count} rows of the view. Filter or search the view to reach the others.",
});
