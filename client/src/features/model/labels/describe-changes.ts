import { type Difference, diff } from "../../../../../shared/document/diff.ts";
import { childrenOf, type MaybeNode } from "../../../../../shared/document/document-node.ts";
import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { type Field, idOfField, idOfTable, type Model } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelLabelMessages as labelMessages } from "../../../messages/en/model-labels.ts";
import { workflowMessages } from "../../../messages/en/workflow.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import {
  findSetting,
  type Rows,
  settingWords,
  unnamed,
  type Wording,
} from "../../../records/settings/settings.tsx";
import { formatItems } from "../../../ui/numbers.ts";
import { zoneText } from "../../../ui/zone-text.ts";
import { modelToTree, nameOfKey } from "../document/model-tree.ts";
import {
  advancedRows,
  type FieldContext,
  kindRows,
  limitRows,
  sourceRows,
} from "../fields/field-settings.tsx";

/** One difference between two models, as shown to users. */
export interface Change {
  key: string;
  kind: "added" | "removed" | "changed";
  /** The table that it belongs to, by id; null for the model as a whole. */
  table: string | null;
  /** What is changed: "Field Title", "Transition Resolve". */
  subject: string;
  /** The changed property, if the subject is changed in part, with its values before and after. */
  detail?: { property: string; before?: string; after: string };
}

/** Describes the differences between two models, in the order of the document. */
export function describeChanges(from: Model, to: Model): Change[] {
  const labels = new ModelLabels(from, to);
  return diff(modelToTree(from), modelToTree(to)).flatMap((difference) => {
    const change = describeDifference(difference, labels);
    return change ? [change] : [];
  });
}

/** The labels of tables and fields in several models. Later models override earlier ones. */
export class ModelLabels {
  readonly #tables = new Map<string, string>();
  readonly #fields = new Map<string, string>();

  constructor(...models: readonly Model[]) {
    for (const table of models.flatMap((model) => model.tables)) {
      this.#tables.set(idOfTable(table), table.label);
      for (const field of table.fields) {
        this.#fields.set(`${idOfTable(table)}\n${idOfField(field)}`, field.label);
      }
    }
  }

  table(id: string): string {
    return this.#tables.get(id) ?? id;
  }

  field(table: string, id: string): string {
    const label = this.#fields.get(`${table}\n${id.replace(/^-/, "")}`) ?? id.replace(/^-/, "");
    return id.startsWith("-") ? labelMessages.descending({ field: label }) : label;
  }
}

/** Describes one difference; null for one that follows from another, such as a longer list of fields. */
export function describeDifference(difference: Difference, labels: ModelLabels): Change | null {
  const { path, from, to } = difference;
  const [, table = null, ...below] = path[0] === "tables" ? path : [];
  const key = path.join("\n");
  const kind = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  if (path[0] === "zone") {
    const [before = "UTC", after = "UTC"] = [jsonOf(from), jsonOf(to)].map((zone) =>
      typeof zone === "string" ? zoneText(zone) : undefined,
    );
    const detail = { property: messages.zone(), before, after };
    return { key, kind: "changed", table: null, subject: messages.title(), detail };
  }
  if (table === null) {
    const common = { key, kind: "changed" as const, table };
    return isReordered(from, to) ? { ...common, subject: labelMessages.tableOrder() } : null;
  }
  const subject = subjectOf(table, below, labels);
  const isCondition = below[0] === "rules" && kind === "changed";
  if (isWhole(below) && !isCondition) return { key, kind, table, subject };
  const last = isCondition ? "condition" : (below.at(-1) ?? "");
  if (last.toLowerCase().endsWith("order")) {
    if (!isReordered(from, to)) return null;
    const parts = (orderLabels[last] ?? labelMessages.partFields)();
    return { key, kind: "changed", table, subject: labelMessages.orderOf({ parts, subject }) };
  }
  const setting = findSetting(modelSettings, last) ?? unnamed(last);
  const { name: property, text } = settingWords(setting, wordingOf(table, labels));
  const added = addedAndRemoved(difference, (id) => labels.field(table, nameOfKey(id)));
  if (added) {
    return { key, kind: "changed", table, subject, detail: { property, after: added } };
  }
  const detail = { property, before: text(jsonOf(from)), after: text(jsonOf(to)) };
  return { key, kind: "changed", table, subject, detail };
}

const orderLabels: Record<string, () => string> = {
  order: labelMessages.partFields,
  optionOrder: labelMessages.partOptions,
  stateOrder: labelMessages.partStates,
  transitionOrder: labelMessages.partTransitions,
  ruleOrder: labelMessages.partRules,
};

/** Whether a difference concerns a whole part, not one of its properties. */
function isWhole(below: readonly string[]): boolean {
  const [first, , third] = below;
  if (below.length === 0) return true;
  if (first === "fields") return below.length === 2 || (third === "options" && below.length === 4);
  if (first === "rules") return true;
  return first === "workflow" && (below.length === 1 || below.length === 3);
}

function subjectOf(table: string, below: readonly string[], labels: ModelLabels): string {
  const [first, second = "", third, fourth] = below;
  if (first === "fields" && second) {
    const field = labelMessages.fieldSubject({ field: labels.field(table, second) });
    const isOption = third === "options" && fourth !== undefined;
    return isOption
      ? labelMessages.optionSubject({
          option: nameOfKey(fourth),
          field: labels.field(table, second),
        })
      : field;
  }
  if (first === "rules" && second) return labelMessages.ruleSubject({ rule: nameOfKey(second) });
  if (first === "workflow") {
    if (third === undefined) return messages.workflow();
    const name = nameOfKey(third);
    return second === "states"
      ? labelMessages.stateSubject({ state: name })
      : labelMessages.transitionSubject({ transition: name });
  }
  return labelMessages.tableSubject({ table: labels.table(table) });
}

const fieldsText = (value: Json, { field, none }: Wording) => {
  const labels = [value].flat().map((id) => field(String(id)));
  return labels.length > 0 ? formatItems(labels) : none();
};
const conditionText = (value: Json, { field }: Wording) =>
  filterText(value as unknown as Filter, field);

/** The settings of fields, and those of tables, states and transitions, by their keys in the document. */
export const modelSettings: Rows<Field, FieldContext> = [
  ...[...kindRows, ...sourceRows, ...limitRows, ...advancedRows],
  { key: "rules", label: labelMessages.partRules },
  { key: "workflow", label: labelMessages.partWorkflow },
  { key: "formerly", label: labelMessages.propReplaces },
  { key: "recordLabel", label: labelMessages.propRecordLabel },
  { key: "display", label: labelMessages.propDisplay, text: fieldsText },
  { key: "idFrom", label: labelMessages.propIdFrom, text: fieldsText },
  { key: "stateField", label: labelMessages.propStateField, text: fieldsText },
  { key: "columns", label: labelMessages.propColumns, text: fieldsText },
  { key: "sort", label: labelMessages.propSort, text: fieldsText },
  { key: "condition", label: labelMessages.propCondition, text: conditionText },
  { key: "colour", label: labelMessages.propColour },
  { key: "open", label: labelMessages.propOpen, control: "toggle" },
  { key: "initial", label: labelMessages.propInitial, control: "toggle" },
  { key: "locks", label: labelMessages.propLocks, text: fieldsText },
  { key: "from", label: labelMessages.propFrom },
  { key: "to", label: labelMessages.propTo },
  { key: "roles", label: labelMessages.propRoles },
  { key: "guard", label: labelMessages.propGuard, text: conditionText },
  { key: "requires", label: labelMessages.propRequires, text: fieldsText },
  { key: "reason", label: workflowMessages.requiresReason, control: "toggle" },
  {
    key: "sets",
    label: labelMessages.propSets,
    text: (value, { field, plain }) =>
      formatItems(
        Object.entries(value as Record<string, Json>).map(
          ([id, to]) => `${field(id)} = ${plain(to)}`,
        ),
      ),
  },
];

function isReordered(from: MaybeNode, to: MaybeNode): boolean {
  if (from?.kind !== "list" || to?.kind !== "list") return false;
  const before = from.items.filter((item) => to.items.includes(item));
  const after = to.items.filter((item) => from.items.includes(item));
  return before.join("\n") !== after.join("\n");
}

/** The items that a list gained and lost; null if remaining items were reordered. */
function addedAndRemoved(
  { from, to }: Difference,
  describe: (id: string) => string,
): string | null {
  if (from?.kind !== "list" || to?.kind !== "list" || isReordered(from, to)) return null;
  const without = (items: readonly string[], others: readonly string[]) =>
    items.filter((item) => !others.includes(item)).map(describe);
  const [gained, lost] = [without(to.items, from.items), without(from.items, to.items)];
  const labels = [
    gained.length > 0 && labelMessages.gained({ items: formatItems(gained) }),
    lost.length > 0 && labelMessages.lost({ items: formatItems(lost) }),
  ];
  return formatItems(labels.filter((label) => label !== false));
}

function jsonOf(part: MaybeNode): Json | undefined {
  if (part?.kind === "branch") return [...childrenOf(part).keys()].map(nameOfKey);
  return part?.kind === "list" ? part.items.map(nameOfKey) : part?.value;
}

function wordingOf(table: string, labels: ModelLabels): Wording {
  return {
    field: (id) => labels.field(table, id),
    table: (id) => labels.table(id),
    yes: labelMessages.yes,
    no: labelMessages.no,
    none: labelMessages.none,
    plain: plainValueLabel,
  };
}

function plainValueLabel(value: Json): string {
  if (Array.isArray(value))
    return value.length > 0 ? formatItems(value.map(plainValueLabel)) : labelMessages.none();
  if (value === null) return workflowMessages.emptyValue();
  if (typeof value === "boolean") return value ? labelMessages.yes() : labelMessages.no();
  if (value === "$now") return workflowMessages.currentTime();
  if (value === "$me") return workflowMessages.currentUser();
  return typeof value === "string" ? messages.quoted({ text: value }) : JSON.stringify(value);
}
