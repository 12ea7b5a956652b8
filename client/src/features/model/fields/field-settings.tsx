import { Switch, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { fieldNameProblem, foldName } from "../../../../../shared/model/check-name.ts";
import { renameInExpression } from "../../../../../shared/model/expression/rename-in-expression.ts";
import {
  type FieldType,
  hasProperty,
  type TypeProperty,
} from "../../../../../shared/model/field-types.ts";
import {
  type Field,
  idOfField,
  type Model,
  type Table,
} from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { patternProblem } from "../../../../../shared/model/pattern/pattern.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelLabelMessages as labelMessages } from "../../../messages/en/model-labels.ts";
import { explanationText } from "../../../messages/error-text.ts";
import {
  type ControlProps,
  choice,
  custom,
  nested,
  number,
  type Rows,
  text,
  toggle,
} from "../../../records/settings/settings.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { formatItems } from "../../../ui/numbers.ts";
import { renameField } from "../document/edit-model.ts";
import { isNew, nameFor } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import {
  choiceGroups,
  choiceOfField,
  chooseField,
  type FieldChoice,
  fieldChoices,
  inputConstraints,
  offeredTypes,
} from "../labels/field-choices.ts";
import { CommitInput } from "../parts/commit-input.tsx";
import { selectOnce } from "../select-once.ts";
import { derivationSources } from "./derivation.ts";
import { FieldDefault } from "./field-default.tsx";
import { FieldDerivation } from "./field-derivation.tsx";
import { FieldExpression } from "./field-expression.tsx";
import { FieldOptions } from "./field-options.tsx";

/** The settings of fields: what the builder's form shows, and how conflicts, plans and comparisons of versions name and word them. */

/** What the form of a field knows besides the field. */
export interface FieldContext {
  model: Model;
  table: Table;
  /** The place of the field in the table. */
  index: number;
}

type FieldRows = Rows<Field, FieldContext>;
type Props = ControlProps<Field, FieldContext>;

const has =
  (property: TypeProperty) =>
  ({ type }: Field) =>
    hasProperty(type, property);

const withField =
  (Control: (props: { field: Field; index: number }) => ReactNode) =>
  ({ of, form }: Props) => <Control field={of} index={form.index} />;

/** Names the field and what it holds. */
export const kindRows: FieldRows = [
  [
    custom("label", messages.label, { control: FieldLabel, name: labelMessages.propLabel }),
    choice("type", messages.type, {
      choices: () =>
        choiceGroups.map(({ group, choices }) => ({
          group: group(),
          items: choices.map((choice) => [choice, fieldChoices[choice].name] as const),
        })),
      name: labelMessages.propType,
      hint: (field, form) =>
        isState(field, form)
          ? messages.workflowNeedsChoice()
          : fieldChoices[choiceOfField(field)].hint(),
      hintBelow: true,
      disabled: isState,
      read: choiceOfField,
      write: (was, choice, { model }) => chooseField(was, choice as FieldChoice, model),
      text: (type) => offeredTypes[type as FieldType].name(),
    }),
  ],
  {
    key: "recorded",
    label: labelMessages.propRecorded,
    text: (value) => fieldChoices[value as FieldChoice].name(),
  },
  text("help", messages.help, {
    name: labelMessages.propHelp,
    hint: messages.fieldHelpText,
    lines: "auto",
  }),
  custom("options", messages.options, {
    control: withField(FieldOptions),
    name: labelMessages.partOptions,
    applies: has("options"),
    text: (values) => formatItems(values as string[]),
  }),
  [
    choice("target", messages.target, {
      choices: ({ target }, { model }) => {
        const tables = model.tables.map(({ name, label }) => [name, label] as const);
        const isKnown = tables.some(([name]) => name === target);
        return isKnown ? tables : [["", messages.chooseTable] as const, ...tables];
      },
      name: labelMessages.propTarget,
      applies: has("target"),
      read: ({ target }, { model }) =>
        model.tables.some(({ name }) => name === target) ? target : undefined,
      text: (id, wording) => wording.table(String(id)),
    }),
    choice("onDelete", messages.onDelete, {
      choices: { refuse: messages.refuseDelete, unlink: messages.clearLink },
      name: labelMessages.propOnDelete,
      applies: has("onDelete"),
      absent: "refuse",
      text: (value) => (value === "unlink" ? labelMessages.unlinks() : labelMessages.refuses()),
      none: labelMessages.refuses,
    }),
  ],
  [
    number("scale", messages.scale, {
      name: labelMessages.propScale,
      applies: has("scale"),
      none: () => "2",
    }),
    toggle("ungrouped", messages.ungrouped, {
      name: labelMessages.propUngrouped,
      hint: messages.ungroupedText,
      applies: has("ungrouped"),
    }),
    text("currency", messages.currency, {
      name: labelMessages.propCurrency,
      hint: messages.currencyText,
      hintBelow: true,
      applies: has("currency"),
      maxLength: 3,
      write: (was, text) => patched(was, { currency: text?.toUpperCase() }),
    }),
  ],
];

function isState({ name }: Field, { table }: FieldContext): boolean {
  return table.stateField === name && table.workflow !== undefined;
}

/** Until it is published, the technical name follows the label. */
function FieldLabel({ setting, of: field, problem }: Props) {
  const { id, table, patchField } = useTableEditor();
  const { edit } = useDraft();
  const others = table.fields.filter((one) => one !== field).map(({ name }) => name);
  const write = (label: string) => {
    const follows = isNew(field.id) && field.name === nameFor(field.label, others, "field");
    patchField(field, { label }, "label");
    if (!follows) return;
    const name = nameFor(label, others, "field");
    edit((model) => renameField(model, id, idOfField(field), name), `${id} ${field.id} label`);
  };
  return (
    <TextInput
      {...noFill}
      label={setting.label()}
      value={field.label}
      error={problem?.("label")}
      ref={isNew(field.id) ? selectOnce : undefined}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

type Source = "users" | "choices" | "number" | "expression";

const sourceLabels: Record<Source, () => string> = {
  users: messages.sourceUsers,
  choices: messages.sourceChoices,
  number: messages.sourceNumber,
  expression: messages.sourceExpression,
};

function sourceOf({ automatic, expression, derive }: Field): Source {
  if (expression !== undefined) return "expression";
  if (derive) return "choices";
  return automatic ? "number" : "users";
}

const from = (source: Source) => (field: Field) => sourceOf(field) === source;

function sourcesFor(field: Field, { table }: FieldContext): Source[] {
  const { type, name, derive } = field;
  const canDerive = name !== table.stateField && derivationSources(field, table).length > 0;
  return [
    "users",
    ...(derive || (canDerive && type !== "json") ? (["choices"] as const) : []),
    ...(hasProperty(type, "automatic") ? (["number"] as const) : []),
    ...(hasProperty(type, "expression") ? (["expression"] as const) : []),
  ];
}

function initialSettings(source: Source) {
  const none = { automatic: undefined, expression: undefined, derive: undefined };
  switch (source) {
    case "users":
      return none;
    case "choices":
      return { ...none, default: undefined, derive: { fields: [], values: {} } };
    case "number":
      return { ...none, default: undefined, automatic: { prefix: "", digits: 5, start: 1 } };
    case "expression":
      return { ...inputConstraints, expression: "" };
  }
}

const automaticRows: Rows<NonNullable<Field["automatic"]>, FieldContext> = [
  [
    text("prefix", messages.numberPrefix, {
      hint: firstNumber,
      hintBelow: true,
      write: (was, prefix = "") => ({ ...was, prefix }),
    }),
    number("digits", messages.digits, { usual: 1 }),
    number("start", messages.countsFrom, { usual: 0 }),
  ],
];

function firstNumber({ prefix, start, digits }: NonNullable<Field["automatic"]>): string {
  return messages.firstNumber({ number: prefix + String(start).padStart(digits, "0") });
}

/** Where the value of a field comes from. */
export const sourceRows: FieldRows = [
  choice("source", messages.source, {
    choices: (field, form) =>
      sourcesFor(field, form).map((source) => [source, sourceLabels[source]] as const),
    applies: (field, form) => sourcesFor(field, form).length > 1,
    read: sourceOf,
    write: (was, source) => patched(was, initialSettings(source as Source)),
  }),
  custom("default", messages.default, {
    control: withField(FieldDefault),
    name: labelMessages.propDefault,
    applies: from("users"),
  }),
  custom("derive", messages.derivedFrom, {
    control: withField(FieldDerivation),
    name: labelMessages.propDerive,
    applies: from("choices"),
  }),
  custom("automatic", messages.sourceNumber, {
    control: nested(automaticRows),
    name: labelMessages.propAutomatic,
    applies: from("number"),
    text: (value) => firstNumber(value as NonNullable<Field["automatic"]>),
  }),
  custom("expression", messages.expression, {
    control: withField(FieldExpression),
    name: labelMessages.propExpression,
    applies: from("expression"),
    text: (value: Json, { field }) => renameInExpression(String(value), field),
  }),
];

/** Validation of what users enter. */
export const limitRows: FieldRows = [
  toggle("required", messages.required, {
    name: labelMessages.propRequired,
    hint: messages.requiredText,
  }),
  toggle("unique", messages.unique, {
    name: labelMessages.propUnique,
    hint: messages.uniqueText,
    applies: (field) => has("unique")(field) || field.unique === true,
  }),
  toggle("immutable", messages.immutable, {
    name: labelMessages.propImmutable,
    hint: messages.immutableText,
  }),
  bounds(messages.minimum, messages.maximum, ({ type }) => type !== "duration"),
  bounds(messages.minimumSeconds, messages.maximumSeconds, ({ type }) => type === "duration"),
  [
    text("pattern", messages.pattern, {
      name: labelMessages.propPattern,
      hint: () => messages.patternText({ example: "[A-Z]{2}-\\d{4}" }),
      hintBelow: true,
      applies: has("pattern"),
      spellCheck: false,
      write: (was, pattern) =>
        patched(was, { pattern, ...(pattern === undefined && { patternHint: undefined }) }),
    }),
    custom("tryPattern", messages.tryPattern, { control: TryPattern, applies: has("pattern") }),
  ],
  text("patternHint", messages.patternHint, {
    name: labelMessages.propPatternHint,
    applies: ({ type, pattern }) => hasProperty(type, "pattern") && pattern !== undefined,
    placeholder: messages.patternHintExample,
  }),
];

function bounds(
  minimum: () => string,
  maximum: () => string,
  applies: (field: Field) => boolean,
): FieldRows[number] {
  return [
    number("minimum", minimum, {
      name: labelMessages.propMinimum,
      applies: (field) => has("minimum")(field) && applies(field),
    }),
    number("maximum", maximum, {
      name: labelMessages.propMaximum,
      applies: (field) => has("maximum")(field) && applies(field),
    }),
  ];
}

/** A text to try the pattern with, which is not saved. */
function TryPattern({ setting, of: field }: Props) {
  const [tried, setTried] = useState("");
  const { pattern } = field;
  if (pattern === undefined || patternProblem(pattern) !== null) return null;
  const validated = tried ? normalizeValue(field, tried) : null;
  return (
    <TextInput
      {...noFill}
      label={setting.label()}
      value={tried}
      description={validated?.ok ? messages.patternMatches() : " "}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={validated && !validated.ok ? explanationText(validated.problem) : undefined}
      onChange={(event) => setTried(event.currentTarget.value)}
    />
  );
}

/** What only some need: technical name, column, index. */
export const advancedRows: FieldRows = [
  [
    custom("name", messages.technicalName, {
      control: TechnicalName,
      name: labelMessages.propName,
      hint: messages.fieldNameText,
    }),
    number("width", messages.columnWidth, {
      name: labelMessages.propWidth,
      hint: messages.columnWidthText,
    }),
    custom("defaultColumn", messages.defaultColumn, {
      control: DefaultColumn,
      hint: messages.defaultColumnText,
    }),
    toggle("indexed", messages.indexed, {
      name: labelMessages.propIndexed,
      hint: messages.indexedText,
      applies: (field) => has("indexed")(field) || field.indexed === true,
    }),
  ],
];

function TechnicalName({ setting, of: field, form, problem }: Props) {
  const { id, table } = useTableEditor();
  const { edit } = useDraft();
  const others = table.fields.filter((one) => one !== field).map(({ name }) => foldName(name));
  return (
    <CommitInput
      label={setting.label()}
      description={setting.hint?.(field, form)}
      value={field.name}
      error={problem?.("name")}
      validate={(name) => {
        if (name === "") return messages.nameRequired();
        if (others.includes(foldName(name))) return messages.fieldExists({ name });
        const found = fieldNameProblem(name);
        return found && explanationText(found);
      }}
      onCommit={(name) => edit((model) => renameField(model, id, idOfField(field), name))}
    />
  );
}

function DefaultColumn({ setting, of: field, form }: Props) {
  const { table, patch } = useTableEditor();
  return (
    <Switch
      label={setting.label()}
      description={setting.hint?.(field, form)}
      checked={table.columns.includes(field.name)}
      onChange={(event) => {
        const columns = table.columns.filter((name) => name !== field.name);
        patch({ columns: event.currentTarget.checked ? [...columns, field.name] : columns });
      }}
    />
  );
}
