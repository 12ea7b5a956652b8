import type { Field, FieldType } from "../../../../../shared/model/model.ts";

/** What a type of field is called, and what it is for. */
export const fieldTypes: Record<FieldType, { name: string; hint: string }> = {
  text: { name: "Short text", hint: "One line, up to 500 characters" },
  longText: { name: "Long text", hint: "Notes and descriptions of many lines" },
  integer: { name: "Whole number", hint: "Counts and quantities" },
  decimal: { name: "Decimal number", hint: "Exact, with the digits that you choose" },
  money: { name: "Money", hint: "An exact amount in one currency" },
  percent: { name: "Percent", hint: "A share, shown with its sign" },
  boolean: { name: "Yes or no", hint: "One question, answered" },
  date: { name: "Date", hint: "A calendar day" },
  timestamp: { name: "Date and time", hint: "A moment, in everybody's own zone" },
  duration: { name: "Duration", hint: "How long: 2d 4h 30m" },
  select: { name: "Choice", hint: "One of the options that you list; also for states" },
  multiSelect: { name: "Several choices", hint: "Any of the options that you list" },
  person: { name: "Person", hint: "Somebody who may sign in here" },
  link: { name: "Link to a record", hint: "Leads to a record of one of your tables" },
  email: { name: "Email address", hint: "Checked for its form" },
  url: { name: "Web address", hint: "https://…" },
  phone: { name: "Phone number", hint: "With its country code: +49 30 123456" },
  json: { name: "JSON", hint: "Structured data of other programs" },
};

/** The properties of a field in words, for the builder and for comparing versions. */
export const fieldProperties: Partial<Record<keyof Field, string>> = {
  name: "technical name",
  label: "label",
  type: "type",
  help: "help",
  required: "required",
  unique: "unique",
  immutable: "fixed once made",
  indexed: "quick to filter and sort",
  default: "default",
  automatic: "automatic numbering",
  derive: "derived value",
  expression: "worked out from",
  recorded: "keeps of each record",
  scale: "digits after the point",
  currency: "currency",
  target: "linked table",
  onDelete: "when the linked record is deleted",
  minimum: "minimum",
  maximum: "maximum",
  pattern: "pattern",
  patternHint: "hint about the pattern",
  width: "column width",
};
