import { type FieldType, traitsOf } from "../../../../../shared/model/field-types.ts";

/** The lines of Tabler's icons, by what values are. A header is no component, so it draws them itself. */
const lines = {
  text: "M14 15.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0M3 19v-10.5a3.5 3.5 0 0 1 7 0v10.5M3 13h7M21 12v7",
  longText: "M4 6l16 0M4 12l10 0M4 18l14 0",
  number: "M5 9l14 0M5 15l14 0M11 4l-4 16M17 4l-4 16",
  boolean: "M9 11l3 3l8 -8M20 12v6a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h9",
  date: "M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12M16 3v4M8 3v4M4 11h16",
  option: "M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0",
  options:
    "M3 8v4.172a2 2 0 0 0 .586 1.414l5.71 5.71a2.41 2.41 0 0 0 3.408 0l3.592 -3.592a2.41 2.41 0 0 0 0 -3.408l-5.71 -5.71a2 2 0 0 0 -1.414 -.586h-4.172a2 2 0 0 0 -2 2M7 10h-.01",
  user: "M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2",
  record: "M17 7l-10 10M8 7l9 0l0 9",
  json: "M7 4a2 2 0 0 0 -2 2v3a2 3 0 0 1 -2 3a2 3 0 0 1 2 3v3a2 2 0 0 0 2 2M17 4a2 2 0 0 1 2 2v3a2 3 0 0 0 2 3a2 3 0 0 0 -2 3v3a2 2 0 0 1 -2 2",
};

/** An icon that says what the values of a column are, beside its name. */
export function typeIcon(type: FieldType): SVGElement {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("class", "wf-header-type");
  icon.ariaHidden = "true";
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", lines[shapeOf(type)]);
  icon.append(path);
  return icon;
}

function shapeOf(type: FieldType): keyof typeof lines {
  const { kind, names, hasLines } = traitsOf(type);
  if (names === "option") return kind === "list" ? "options" : "option";
  if (names) return names;
  if (kind === "text") return hasLines ? "longText" : "text";
  if (kind === "list") return "options";
  if (kind === "integer" || kind === "decimal") return "number";
  return kind === "timestamp" ? "date" : kind;
}
