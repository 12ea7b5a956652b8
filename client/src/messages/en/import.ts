import { defineMessages } from "../define-messages.ts";

/** Importing a file: choosing it, how it is read, its columns, the upload and its result. */
export const importMessages = defineMessages("import", {
  import: "Import",
  title: "Import into {table}",
  lead: "Nothing changes until you have checked the preview and applied it.",
  back: "Back to {table}",
  notAllowed: "You can't import into this table",
  notAllowedText:
    "Your role can neither create nor edit records here. An administrator can change that.",

  home: "Go to the dashboard",

  file: "File",
  choose: "Choose a file",
  drop: "or drop a CSV or TSV file here",
  paste: "Paste text",
  pasteLabel: "Rows to import",
  pasteHint: "Paste rows from a spreadsheet, with the column names in the first row.",
  takePasted: "Use this text",
  pastedName: "Pasted rows",
  otherFile: "Use another file",
  empty: "This file has no rows. Choose another file.",
  workbook:
    "This is a spreadsheet file. Save it as CSV in your spreadsheet program, and choose that file.",
  unreadableFile: "The file could not be read. Choose it again.",
  fileFacts: "{name} · {size}",

  format: "Format",
  delimiter: "Delimiter",
  comma: "Comma",
  semicolon: "Semicolon",
  tab: "Tab",
  pipe: "Vertical bar",
  encoding: "Encoding",
  hasHeader: "The first row has the column names",
  dates: "Dates",
  iso: "ISO 8601 (2026-03-31 14:05)",
  chooseDates: "Choose a format",
  ambiguousDates: "These dates fit several formats. Choose the right one.",
  unknownDates: "No known format fits all dates. Rows that can't be read are rejected.",
  decimal: "Numbers",
  decimalAuto: "1234.5",
  decimalPoint: "1,234.5",
  decimalComma: "1.234,5",
  zone: "Time zone of dates",
  nullText: "Text that means empty",
  nullHint: "Besides empty cells",

  columns: "Columns",
  columnsLead:
    "Choose the field that each column goes into. The choice is remembered for files with the same columns.",
  sample: "First rows of the file",
  column: "Column {number}",
  fieldOf: "Field for the column {column}",
  ignore: "Don't import",
  recordId: "Record ID",
  sameName: "Two columns have this name. Rename one in the file.",
  noColumns: "Choose a field for at least one column.",

  existing: "Existing records",
  key: "Update records by",
  onlyNew: "Add every row as a new record",
  chooseKey: "Choose a field",
  keyHint:
    "A row updates the record that has the same value, or adds one. If several rows have the same value, the last row is used.",
  sharedKey: "This field isn't unique. A row is rejected if several records have its value.",
  newHint: "Rows that were already imported from the same file are not added again.",
  keyNeeded: "Choose the field that identifies existing records. Your role can't add records.",

  preview: "Preview changes",
  uploading: "Reading the file: {percent, number} %",
  checking: "Checking the rows",
  cancel: "Cancel",

  result: "Imported file",
  rows: "{count, plural, one {# row} other {# rows}} read:",
  added: "{count, number} added",
  changed: "{count, number} changed",
  unchanged: "{count, number} unchanged",
  superseded: "{count, number} replaced by a later row with the same key",
  rejected: "{count, number} rejected",
  download: "Download rejected rows",
  interrupted: "The import was stopped or interrupted before the end of the file.",
  incomplete:
    "The file is still being read, or the import was interrupted. If this stays, import the file again.",
});
