import type { Json } from "../../shared/filter/filter.ts";
import type { FieldType } from "../../shared/model/field-types.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";

/** A table with every rule of the model (M13), and for each rule a value that it must refuse. */

const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  name,
  label: `The ${name}`,
  type,
  ...more,
});
const letters = Array.from({ length: 60 }, (_, index) => ({ value: `option ${index}` }));

export const rulesTable: Table = {
  name: "rules",
  label: "Rules",
  recordLabel: "rule",
  display: "short",
  stateField: "state",
  workflow: {
    states: [
      { value: "a", open: true, initial: true },
      { value: "b", open: true },
    ],
    transitions: [{ name: "go", label: "Go", from: ["a"], to: "b" }],
  },
  fields: [
    field("short", "text"),
    field("long", "longText"),
    field("integer", "integer"),
    field("decimal", "decimal", { scale: 2 }),
    field("money", "money", { scale: 2, currency: "EUR" }),
    field("percent", "percent", { scale: 1 }),
    field("boolean", "boolean"),
    field("date", "date"),
    field("timestamp", "timestamp"),
    field("duration", "duration"),
    field("select", "select", { options: letters }),
    field("multi", "multiSelect", { options: letters }),
    field("person", "person"),
    field("link", "link", { target: "services" }),
    field("email", "email"),
    field("url", "url"),
    field("phone", "phone"),
    field("json", "json"),
    field("needed", "text", { required: true }),
    field("single", "text", { unique: true }),
    field("bounded", "decimal", { scale: 2, minimum: -1.5, maximum: 100 }),
    field("shaped", "text", { pattern: "[A-Z]{2}\\d+", patternHint: "Two letters, then digits." }),
    field("fixed", "text", { immutable: true }),
    field("begin", "date"),
    field("end", "date"),
    field("double", "integer", { expression: "integer * 2" }),
    field("state", "select", { options: [{ value: "a" }, { value: "b" }], default: "a" }),
  ],
  columns: ["short"],
  sort: [],
  rules: [
    {
      filter: {
        or: [
          { field: "end", op: "isEmpty" },
          { field: "begin", op: "isEmpty" },
          { field: "end", op: "gte", value: { field: "begin" } },
        ],
      },
      message: "The end must not be before the beginning.",
    },
  ],
};

/** The stored record that every write path tries to change; another one is `single: "theirs"`. */
export const initialValues: Values = {
  needed: "yes",
  single: "mine",
  fixed: "once",
  begin: "2026-05-01",
};

export interface RuleCase {
  what: string;
  field: string;
  value: Json;
  rule: string;
  message: RegExp;
  /** By default `validation_failed`. */
  code: string;
  /** The same in a file; null if a file can't express it. */
  cell: string | null;
  /** Applies to existing records only, or also to new ones. */
  on: "both" | "edits";
}

type Row = [
  what: string,
  field: string,
  value: Json,
  rule: string,
  message: RegExp,
  more?: Partial<RuleCase>,
];

const wholeNumber = /whole number/;
const rows: Row[] = [
  ["a short text of 501 characters", "short", "x".repeat(501), "length", /at most 500 characters/],
  ["one of 501 characters of two units", "short", "😀".repeat(501), "length", /at most 500/],
  ["a long text of 50001 characters", "long", "x".repeat(50_001), "length", /at most 50000/],
  ["a text with NUL", "short", "a\0b", "characters", /can't be stored/],
  ["half a character", "short", "a\ud800", "characters", /can't be stored/, { cell: null }],
  ["a number where a text belongs", "short", 5, "type", /Enter a text/, { cell: null }],
  ["an integer of 2^53", "integer", 9_007_199_254_740_992, "type", wholeNumber],
  ["a broken integer", "integer", 1.5, "type", wholeNumber],
  ["a decimal of more digits than its scale", "decimal", "1.234", "scale", /2 digits after/],
  ["a decimal that no column holds", "decimal", "1".repeat(40), "length", /too large/],
  ["a decimal that is no number", "decimal", "1e5", "type", /Enter a number/],
  ["money of more digits than its scale", "money", "0.005", "scale", /2 digits after/],
  ["a percentage of more digits than its scale", "percent", "0.25", "scale", /1 digit after/],
  ["maybe", "boolean", "maybe", "type", /yes or no/],
  ["a day that is not in the calendar", "date", "2026-02-30", "type", /date that exists/],
  [
    "a time that is not in the calendar",
    "timestamp",
    "2026-02-30T10:00:00Z",
    "type",
    /date and time/,
  ],
  [
    "a time without its zone",
    "timestamp",
    "2026-02-20T10:00:00",
    "type",
    /with its zone/,
    { cell: null },
  ],
  ["half a second", "duration", 1.5, "type", wholeNumber],
  // A cell names an option in any case, as typed text does.
  [
    "what is no option",
    "select",
    "Option 1",
    "option",
    /one of the options/,
    { cell: "no option" },
  ],
  [
    "options of which one is none",
    "multi",
    ["option 1", "no"],
    "option",
    /from the options/,
    { cell: "option 1;no" },
  ],
  [
    "more than 50 options",
    "multi",
    letters.slice(0, 51).map(({ value }) => value),
    "length",
    /at most 50/,
    {
      cell: letters
        .slice(0, 51)
        .map(({ value }) => value)
        .join(";"),
    },
  ],
  [
    "an option twice",
    "multi",
    ["option 1", "option 1"],
    "repeat",
    /each option once/,
    { cell: "option 1;option 1" },
  ],
  ["a missing user", "person", "nobody", "link", /no such user/, { code: "link_broken" }],
  [
    "a link that leads nowhere",
    "link",
    "nowhere",
    "link",
    /nothing that exists/,
    { code: "link_broken" },
  ],
  ["what is no email address", "email", "a@b@c", "email", /email address/],
  ["a web address that is no http", "url", "ftp://example.com", "url", /web address/],
  ["a script as a web address", "url", "javascript:alert(1)", "url", /web address/],
  ["a phone number in words", "phone", "ring the desk", "phone", /phone number/],
  [
    "JSON of more than 64 KiB",
    "json",
    "x".repeat(65_600),
    "length",
    /64 KiB/,
    { cell: JSON.stringify("x".repeat(65_600)) },
  ],
  [
    "nothing where something is required",
    "needed",
    null,
    "required",
    /must not be empty/,
    { cell: "" },
  ],
  [
    "what another record has already",
    "single",
    "theirs",
    "unique",
    /Another rule has this/,
    { code: "duplicate" },
  ],
  ["less than the minimum", "bounded", "-1.51", "minimum", /at least -1.5/],
  ["more than the maximum", "bounded", "100.01", "maximum", /at most 100/],
  ["what does not fit the pattern", "shaped", "A1", "pattern", /Two letters, then digits/],
  [
    "another value of what is given once",
    "fixed",
    "twice",
    "immutable",
    /can't be changed/,
    { on: "edits" },
  ],
  ["what breaks a rule between fields", "end", "2026-04-30", "rule", /not be before the beginning/],
  ["a computed field", "double", 4, "readOnly", /computed/, { cell: null }],
];

export const ruleCases: RuleCase[] = rows.map(([what, name, value, rule, message, more = {}]) => ({
  what,
  field: name,
  value,
  rule,
  message,
  code: "validation_failed",
  cell: value === null || typeof value === "object" ? null : String(value),
  on: "both",
  ...more,
}));
