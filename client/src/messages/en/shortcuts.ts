import { defineMessages } from "../define-messages.ts";

/** What each keyboard shortcut does. */
export const shortcutMessages = defineMessages("shortcuts", {
  everywhere: "Everywhere",
  search: "Search, or jump to a table or an action",
  help: "Show keyboard shortcuts",
  toggleSidebar: "Expand or collapse the sidebar",
  close: "Close a dialog, menu or panel",

  inTable: "In a table",
  moveCell: "Go to another cell",
  editOrConfirm: "Edit the cell, or save and go down",
  edit: "Edit the cell",
  confirmRight: "Save and go right",
  cancelEdit: "Cancel the edit",
  selectRange: "Select a range",
  copyRange: "Copy the range",
  pasteRange: "Paste cells, also from a spreadsheet",
  undo: "Undo",
  redo: "Redo",
  clearRange: "Clear the range",
  fillDown: "Fill the range down from its first row",
  selectRecord: "Select the record, or toggle a yes/no field",
  openRecord: "Open the record, or the column menu in a header",
  newRecord: "Create a record",
  deleteRecord: "Delete the record or the selected records",

  onBoard: "On a board",
  moveCard: "Go to another card",
  openCard: "Open the record",
  changeCard: "Change the card's state or option",
});
