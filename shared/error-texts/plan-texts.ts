import { explainer } from "./explain.ts";

/**
 * The steps of a model's plan, what they would lose and what prevents them. A list of its own, because only the model
 * builder shows them, and loads them late.
 */
export const planTexts = {
  "plan.addTable": "Create the table {table} with {count, plural, one {# field} other {# fields}}.",
  "plan.removeTable": "Remove the table {table} with all its records.",
  "plan.removeForeignTable":
    "Remove {table} from the model. Watchfloor did not create its table, which stays in the database.",
  "plan.renameTable": "Rename the table “{from}” to “{to}”.",
  "plan.addField": "Add the field {field} to {table}.",
  "plan.addRecordedField":
    "Add the field {field} to {table}: {recorded}. Existing records are filled as far back as the history goes.",
  "plan.removeField": "Remove the field {field} from {table}, with its values.",
  "plan.renameField": "Rename the field “{from}” of {table} to “{to}”.",
  "plan.retypeField": "Turn the field {field} of {table} from {from} into {changes}.",
  "plan.computeField": "{field} of {table} is computed from now on, by “{expression}”.",
  "plan.recomputeField": "{field} of {table} is computed differently, by “{expression}”.",
  "plan.recomputeFieldAnew":
    "{field} of {table} is computed differently, by “{expression}”, and without a field that it was computed from. Its earlier values, which reveal that field, leave the history.",
  "plan.constrainField": "{field} of {table}: {changes}.",
  "plan.describeField": "{field} of {table}: change {properties}.",
  "plan.orderFields": "Put the fields of {table} into another order.",
  "plan.orderTables": "Order the tables: {tables}.",
  "plan.changeZone": "Days begin in the time zone {to}, instead of {from}.",
  "plan.describeTable": "{table}: change {properties}.",

  "plan.linkType": "{type} to “{target}”",
  "plan.scaledType": "{type} ({scale, plural, one {# digit} other {# digits}})",
  "recorded.createdAt": "records when a record was created",
  "recorded.createdBy": "records who created a record",
  "recorded.updatedAt": "records when a record was last changed",
  "recorded.updatedBy": "records who last changed a record",
  "plan.freed": "filled by users from now on, beginning with the computed values",
  "plan.unrecorded": "filled by users from now on",
  "plan.required": "required",
  "plan.notRequired": "no longer required",
  "plan.unique": "unique",
  "plan.notUnique": "no longer unique",
  "plan.indexed": "indexed",
  "plan.notIndexed": "no longer indexed",
  "plan.default": "another default",
  "plan.automatic": "another numbering",
  "plan.unlink": "emptied with its target",
  "plan.keepTarget": "keeps its target",
  "plan.optionRemoved": "no longer the option “{option}”",
  "plan.optionReplaced": "“{option}” becomes “{replacement}”",

  "plan.losesTable":
    "{rows, plural, one {# record} other {# records}} of {table} would be deleted.",
  "plan.losesField":
    "Values of {field} in {rows, plural, one {# record} other {# records}} would be deleted.",
  "plan.losesEntered":
    "Entered values of {field} in {rows, plural, one {# record} other {# records}} would be deleted.",
  "plan.overwrites":
    "Entered values of {field} in {rows, plural, one {# record} other {# records}} would be overwritten when the record changes.",
  "plan.losesOptions":
    "{field}: {rows, plural, one {# record uses} other {# records use}} an option that would be removed; the value would be cleared.",
  "plan.losesUnfit":
    "Values of {field} in {rows, plural, one {# record} other {# records}} do not fit the new type and would be cleared or shortened.",

  "plan.noDefault":
    "{field} can't be required: it has no default: {rows, plural, one {# record} other {# records}} would be empty.",
  "plan.optionsRequired":
    "{field} is required: {rows, plural, one {# record} other {# records}} would be empty without these options.",
  "plan.emptyValues":
    "{field} can't be required yet: {rows, plural, one {# record has} other {# records have}} none.",
  "plan.sharedValues":
    "{field} can't be unique yet: {rows, plural, one {# record shares} other {# records share}} one.",
  "plan.nameTaken": 'The database already has "{name}", which Watchfloor did not create.',
  "plan.viewDepends":
    "The view {views} of another program shows this. Drop it first, and create it anew after publishing.",
  "plan.foreignTable": 'Watchfloor did not create the table "{name}", so it does not alter it.',
} as const;

/** A sentence of `planTexts`, with its values filled in. */
export const explainPlan = explainer(planTexts);
