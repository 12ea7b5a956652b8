import { explainer } from "./explain.ts";

/** Why rows of a file are rejected. A list of its own, because only the file of rejected rows shows them. */
export const rowTexts = {
  "row.cellEncoding":
    "Some characters are not UTF-8. Save the file as UTF-8, or name its encoding, such as windows-1252.",
  "row.tooManyCells":
    "The row has more values than the file has columns ({columns}). Check its delimiters and quotation marks.",
  "row.quotes":
    "Quotation marks here or in the next lines don't show where its cells begin and end, so it is shown as one text. Correct the lines in the file, and import them by themselves.",
  "row.notJson": "This is not JSON. A text in JSON has quotation marks.",
  "row.skippedTime":
    "The clocks skip this time in {zone}. Correct it, or write it with its offset from UTC.",
  "row.keyEmpty": "The row has nothing to recognise its record by.",
  "row.keyAmbiguous": '{count} records have "{key}" there: none was changed.',
  "row.keyRepeated": "Line {line} of the file is about the same record.",
  "row.noField": 'The field of the column "{column}" was removed, or can\'t be written any more.',
  "row.labelAmbiguous": "{field}: several are called this. Give the id.",
  "row.idTaken":
    "{id} exists already, with other values. To change it, import the file with a key.",
  "row.recordDiffers": "The record of this row exists already, with another {field}.",
} as const;

/** A sentence of `rowTexts`, with its values filled in. */
export const explainRow = explainer(rowTexts);
