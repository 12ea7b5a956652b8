import { Code, Stack } from "@mantine/core";
import { IconAlertTriangle, IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import { findField, findTable, idOfField, idOfTable } from "../../../../../shared/model/model.ts";
import type { ModelPlan, PlannedStep } from "../../../../../shared/protocol/model-plan.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { type Change, describeChanges } from "../labels/describe-changes.ts";
import { subjectText } from "../parts/change-list.tsx";
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
  if (plan.steps.length === 0) return <p className={classes.none}>{messages.noChanges()}</p>;
  return (
    <ol className={classes.steps} aria-label={messages.steps()}>
      {plan.steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a plan is read, never changed in place.
        <Step key={index} step={step} details={detailsOf(step)} showSql={showSql} />
      ))}
    </ol>
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
    <li className={classes.step}>
      <StepSign kind={step.kind} />
      <Stack gap={6} flex={1} miw={0}>
        <span>{step.sentence}</span>
        {newTable && (
          <span className={classes.fields}>
            {newTable.fields.map(({ label }) => label).join(", ")}
          </span>
        )}
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
              <span key={cost.sentence} className={classes.cost}>
                <IconAlertTriangle size={15} aria-hidden="true" />
                {cost.sentence}
              </span>
            ),
        )}
        {showSql && (
          <Code block className={classes.sql ?? ""}>
            {step.sql.length > 0 ? step.sql.join(";\n") : messages.noSql()}
          </Code>
        )}
      </Stack>
    </li>
  );
}

function StepSign({ kind }: { kind: PlannedStep["kind"] }) {
  if (kind.startsWith("add")) return <IconPlus size={16} data-kind="added" aria-hidden="true" />;
  if (kind.startsWith("remove")) {
    return <IconMinus size={16} data-kind="removed" aria-hidden="true" />;
  }
  return <IconPencil size={16} aria-hidden="true" />;
}

function changeText(change: Change): string {
  const subject = subjectText(change);
  if (!change.detail) return subject;
  const { property, before, after } = change.detail;
  const values = before ? messages.beforeAfter({ before, after }) : after;
  return messages.changeOf({ subject, property, change: values });
}
