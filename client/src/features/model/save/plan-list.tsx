import { Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { planTexts } from "../../../../../shared/error-texts/plan-texts.ts";
import { findField, findTable, idOfField, idOfTable } from "../../../../../shared/model/model.ts";
import type { ModelPlan, PlannedStep } from "../../../../../shared/protocol/model.ts";
import { addExplanations, explanationMessages } from "../../../messages/en/explanations.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { sentText } from "../../../messages/error-text.ts";
import { Callout } from "../../../ui/callout.tsx";
import { formatItems } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { type Change, describeChanges, modelSettings } from "../labels/describe-changes.ts";
import { offeredTypes } from "../labels/field-choices.ts";
import { ChangeSign, subjectText } from "../parts/change-list.tsx";
import { UseList } from "../parts/used-by.tsx";
import classes from "./save.module.css";

/** The steps of a plan, with the data that each would delete and what blocks it. */
export function PlanList({ plan, showSql }: { plan: ModelPlan; showSql: boolean }) {
  const { base, draft } = useDraft();
  const changes = describeChanges(base, draft);
  const detailsOf = ({ kind, table, field }: PlannedStep): Change[] => {
    if (kind !== "describeField" && kind !== "describeTable" && kind !== "constrainField")
      return [];
    const found = findTable(draft, table);
    if (!found) return [];
    const part = field === undefined ? undefined : findField(found, field);
    const keyPrefix = part
      ? `tables\n${idOfTable(found)}\nfields\n${idOfField(part)}\n`
      : `tables\n${idOfTable(found)}\n`;
    return changes.filter(
      ({ key }) =>
        key.startsWith(keyPrefix) &&
        (part !== undefined || !key.startsWith(`${keyPrefix}fields\n`)),
    );
  };
  if (plan.steps.length === 0) return <Text c="dimmed">{messages.noChanges()}</Text>;
  return (
    <Stack component="ol" gap={12} aria-label={messages.steps()}>
      {plan.steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a plan is read, never changed in place.
        <Step key={index} step={step} details={detailsOf(step)} showSql={showSql} />
      ))}
    </Stack>
  );
}

interface StepProps {
  step: PlannedStep;
  details: readonly Change[];
  showSql: boolean;
}

function Step({ step, details, showSql }: StepProps) {
  const { draft } = useDraft();
  const newTable = step.kind === "addTable" ? findTable(draft, step.table) : undefined;
  return (
    <Group component="li" gap={10} align="flex-start" wrap="nowrap">
      <ChangeSign kind={signOf(step.kind)} />
      <Stack gap={6} flex={1} miw={0}>
        <span>{sentText(step.sentence, step)}</span>
        {newTable && <Hint span>{formatItems(newTable.fields.map(({ label }) => label))}</Hint>}
        {details.length > 0 && (
          <ul className={classes.details}>
            {details.map((change) => (
              <li key={change.key}>{changeText(change)}</li>
            ))}
          </ul>
        )}
        {[step.loses, step.blocked].map(
          (cost) =>
            cost && (
              <Callout key={cost.sentence} bg="var(--wf-bad-soft)" c="var(--wf-bad)">
                <IconAlertTriangle size={15} aria-hidden="true" />
                {sentText(cost.sentence, cost)}
              </Callout>
            ),
        )}
        {step.usedBy && (
          <Callout c="inherit">
            <UseList uses={step.usedBy} />
          </Callout>
        )}
        {showSql && (
          <Code block fz="xs" style={{ whiteSpace: "pre-wrap" }}>
            {step.sql.length > 0 ? step.sql.join(";\n") : messages.noSql()}
          </Code>
        )}
      </Stack>
    </Group>
  );
}

function signOf(kind: PlannedStep["kind"]): Change["kind"] {
  if (kind.startsWith("add")) return "added";
  return kind.startsWith("remove") ? "removed" : "changed";
}

function changeText(change: Change): string {
  const subject = subjectText(change);
  if (!change.detail) return subject;
  const { property, before, after } = change.detail;
  const values = before ? messages.beforeAfter({ before, after }) : after;
  return messages.changeOf({ subject, property, change: values });
}

/** Adds the sentences of plans, and the labels of the types and properties that they name. */
addExplanations(planTexts);
for (const [type, { name }] of Object.entries(offeredTypes)) {
  explanationMessages.set(`type.${type}`, name);
}
for (const { key, name, label } of modelSettings.flat()) {
  explanationMessages.set(`property.${key}`, name ?? label);
}
