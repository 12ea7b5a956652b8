import { defineMessages } from "../define-messages.ts";

/** The menu of a cell and its row. */
export const cellMenuMessages = defineMessages("cellMenu", {
  menu: "Cell {field}",
  copy: "Copy",
  cut: "Cut",
  paste: "Paste",
  clear: "Clear",
  fill: "Fill down",
  filter: "Filter by this value",
  filterEmpty: "Filter by empty",
  open: "Open record",
  openLinked: "Open linked record",
  copyLink: "Copy link to record",
  linkCopied: "Link copied.",
  duplicate: "{count, plural, one {Duplicate record} other {Duplicate # records}}",
  move: "Move in this view",
  moveUp: "Move up",
  moveDown: "Move down",
  moveToTop: "Move to top",
  moveToBottom: "Move to bottom",
  delete: "{count, plural, one {Delete record} other {Delete # records}}",
  pasteByKeys:
    "The browser does not let the menu read the clipboard. Press Ctrl V instead, ⌘ V on a Mac.",
});
