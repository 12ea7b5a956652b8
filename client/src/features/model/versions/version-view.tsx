import { Title } from "@mantine/core";
import {
  type Field,
  findField,
  findTable,
  idOfField,
  idOfTable,
  type Model,
  type Table,
} from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelLabelMessages as labelMessages } from "../../../messages/en/model-labels.ts";
import { workflowMessages } from "../../../messages/en/workflow.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import { Hint } from "../../../ui/texts.ts";
import { FieldTypeIcon } from "../fields/field-type-icon.tsx";
import { offeredTypes } from "../labels/field-choices.ts";
import { stateLabel } from "../workflow/edit-workflow.ts";
import { transitionRoute } from "../workflow/selection.ts";
import classes from "./versions.module.css";

/** A read-only view of a version: its tables with their fields, rules and transitions. */
export function VersionView({ model }: { model: Model }) {
  return (
    <section aria-label={messages.fullVersion({ version: model.version })} className={classes.view}>
      <Title order={2} size="h3">
        {messages.fullVersion({ version: model.version })}
      </Title>
      {model.tables.length === 0 && <Hint>{messages.noTables()}</Hint>}
      {model.tables.map((table) => (
        <TableView key={idOfTable(table)} table={table} model={model} />
      ))}
    </section>
  );
}

function TableView({ table, model }: { table: Table; model: Model }) {
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  return (
    <details className={classes.table}>
      <summary>
        {table.label} <Hint span>{messages.fieldCount({ count: table.fields.length })}</Hint>
      </summary>
      <ul className={classes.fields}>
        {table.fields.map((field) => (
          <li key={idOfField(field)}>
            <FieldTypeIcon type={field.type} />
            <span>{field.label}</span>
            <Hint span>{fieldSummary(field, model)}</Hint>
          </li>
        ))}
        {table.rules?.map(({ filter, message }) => (
          <li key={message}>
            {messages.ruleText({ condition: filterText(filter, labelOf) })}
            <Hint span>{messages.quoted({ text: message })}</Hint>
          </li>
        ))}
        {table.workflow?.transitions.map((transition) => (
          <li key={transition.name}>
            {workflowMessages.transitionNamed({ name: transition.label })}
            <Hint span>{transitionRoute(table, transition)}</Hint>
          </li>
        ))}
      </ul>
      {table.workflow && (
        <Hint>
          {messages.statesText({
            states: table.workflow.states.map(({ value }) => stateLabel(table, value)).join(", "),
          })}
        </Hint>
      )}
    </details>
  );
}

function fieldSummary(field: Field, model: Model): string {
  const target = field.target === undefined ? undefined : findTable(model, field.target);
  const parts = [
    offeredTypes[field.type].name() + (field.type === "link" ? ` (${target?.label ?? "?"})` : ""),
    field.required && labelMessages.propRequired(),
    field.unique && labelMessages.propUnique(),
    field.options?.map(({ label, value }) => label ?? value).join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}
