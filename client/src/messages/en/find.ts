import { defineMessages } from "../define-messages.ts";

/** Find and replace in the rows of a view. */
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
  findAndReplace: "Find and replace",
  replaceInput: "Replace with",
  replace: "Replace",
  replaceHint: "Replace in this cell and go to the next (Enter)",
  replaceAll: "Replace all",
  replaceSelected: "Replace in selection",
  replaceAllHint: "Replace in all cells of the view (Ctrl+Enter)",
  replaceSelectedHint: "Replace in the selected cells (Ctrl+Enter)",
  replaced: "{count, plural, one {# cell replaced.} other {# cells replaced.}}",
  wholeOnly: "{field} is replaced only where its whole value is the text.",
  nothing: "Nothing to replace: no cell contains the text.",
  rowLeft: "Nothing was replaced, because the row could not be loaded. Try again.",
});
