import { Button, Checkbox, Group, Stack, Switch, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Model } from "../../../../../shared/model/model.ts";
import type { ModelProblem } from "../../../../../shared/model/model-problem.ts";
import { Refusal } from "../../../../../shared/protocol/errors.ts";
import type { ModelPlan } from "../../../../../shared/protocol/model.ts";
import { tableAddress } from "../../../../../shared/record-address.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { importAddress } from "../../../records/may-import.ts";
import { namePendingTable, tableOfPendingFile } from "../../../state/pending-import.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { problemText } from "../../../ui/problem-text.ts";
import { ScreenSkeleton } from "../../../ui/screen-skeleton.tsx";
import { toast } from "../../../ui/toast.tsx";
import { withoutNewIds } from "../document/edit-model.ts";
import { isNew } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { PlanList } from "./plan-list.tsx";

interface Props {
  onClose(): void;
  /** Goes on from there in place of a toast. */
  onPublished?(published: Model): void;
}

/** The plan for publishing the draft. Deleting data requires confirmation. */
export function SaveDialog({ onClose, onPublished }: Props) {
  const { draft, save, refresh } = useDraft();
  const [, navigate] = useLocation();
  const [plan, setPlan] = useState<ModelPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [agreed, setAgreed] = useState(false);
  const [showSql, setShowSql] = useState(false);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another draft, and where the records have changed meanwhile.
  useEffect(() => {
    let current = true;
    setPlan(null);
    setAgreed(false);
    rest("PUT /model", { query: { dryRun: "1" }, body: withoutNewIds(draft) }).then(
      (result) => current && setPlan(result),
      (error) => {
        if (isOutdated(error)) void refresh().then(onClose);
        else if (current) setProblem(errorText(error));
      },
    );
    return () => {
      current = false;
    };
  }, [attempt, draft]);
  const publish = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const waiting = draft.tables.find(
        ({ id }) => id !== undefined && id === tableOfPendingFile(),
      );
      await save(agreed);
      if (onPublished) return onPublished(draft);
      onClose();
      const added = draft.tables.find(({ id }) => isNew(id));
      if (!added || waiting) toast(messages.published());
      else {
        const { name, label } = added;
        const open = () => navigate(tableAddress(name));
        toast(messages.isReady({ name: label }), open, messages.openTable({ name: label }));
      }
      if (!waiting) return;
      namePendingTable(waiting.name);
      navigate(importAddress(waiting.name));
    } catch (error) {
      if (isOutdated(error)) return void refresh().then(onClose);
      setProblem(errorText(error));
      setAttempt((count) => count + 1);
    }
    setBusy(false);
  };
  const canPublish =
    plan !== null && plan.steps.length > 0 && !plan.blocked && (!plan.lossy || agreed);
  return (
    // Changes made while it publishes would be replaced by the published version.
    <Dialog onClose={busy ? () => {} : onClose} title={messages.publish()} size={720}>
      <FormProblem problem={problem} />
      {!plan && !problem && <ScreenSkeleton />}
      {plan && (
        <Stack gap={18}>
          <PlanList plan={plan} showSql={showSql} />
          <Switch
            label={messages.showSql()}
            checked={showSql}
            onChange={(event) => setShowSql(event.currentTarget.checked)}
          />
          {plan.blocked && <Text c="var(--wf-bad)">{messages.blocked()}</Text>}
          {plan.lossy && !plan.blocked && (
            <Checkbox
              label={messages.confirmDelete()}
              checked={agreed}
              onChange={(event) => setAgreed(event.currentTarget.checked)}
            />
          )}
        </Stack>
      )}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" disabled={busy} onClick={onClose}>
          {messages.keepEditing()}
        </Button>
        <Button
          color={plan?.lossy ? "red" : undefined}
          disabled={!canPublish}
          loading={busy}
          onClick={() => void publish()}
        >
          {plan?.lossy ? messages.publishAndDelete() : messages.publish()}
        </Button>
      </Group>
    </Dialog>
  );
}

/** Whether somebody else has published a version meanwhile. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Refusal && error.code === "model_conflict";
}

/** What is wrong at the first place where a model was refused, or else why it was. */
export function errorText(error: unknown): string {
  const problems = error instanceof Refusal ? error.detail.problems : undefined;
  const [first] = Array.isArray(problems) ? (problems as ModelProblem[]) : [];
  return first ? explanationText(first) : problemText(error);
}
