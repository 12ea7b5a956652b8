import { Button, Checkbox, Group, Modal, Switch } from "@mantine/core";
import { useEffect, useState } from "react";
import { Refusal } from "../../../../../shared/protocol/errors.ts";
import { type ModelPlan, planModel, problemsOf } from "../../../sync/calls/models.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { problemText } from "../../../ui/problem-text.ts";
import { ScreenSkeleton } from "../../../ui/screen-skeleton.tsx";
import { toast } from "../../../ui/toast.tsx";
import { withoutNewIds } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { PlanList } from "./plan-list.tsx";
import classes from "./save.module.css";

interface Props {
  onClose(): void;
}

/** What putting the draft in force will do, in words, before it is done; what would be lost is asked for. */
export function SaveDialog({ onClose }: Props) {
  const { draft, save, refresh } = useDraft();
  const [plan, setPlan] = useState<ModelPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [agreed, setAgreed] = useState(false);
  const [showSql, setShowSql] = useState(false);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another draft, and where the records have changed meanwhile.
  useEffect(() => {
    let current = true;
    setPlan(null);
    setAgreed(false);
    planModel(withoutNewIds(draft)).then(
      (found) => current && setPlan(found),
      (error) => {
        if (isOvertaken(error)) void refresh().then(onClose);
        else if (current) setProblem(wordsOf(error));
      },
    );
    return () => {
      current = false;
    };
  }, [asked, draft]);
  const put = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await save(agreed);
      toast("The model is in force. Every open screen follows.");
      onClose();
    } catch (error) {
      if (isOvertaken(error)) return void refresh().then(onClose);
      setProblem(wordsOf(error));
      setAsked((count) => count + 1);
    }
    setBusy(false);
  };
  const mayPut = plan !== null && !plan.blocked && (!plan.lossy || agreed);
  return (
    <Modal opened onClose={onClose} title="Put the model in force" size={720} padding="xl">
      <FormProblem problem={problem} />
      {!plan && !problem && <ScreenSkeleton />}
      {plan && (
        <div className={classes.plan}>
          <PlanList plan={plan} showSql={showSql} />
          <Switch
            label="Show what the database is told (SQL)"
            checked={showSql}
            onChange={(event) => setShowSql(event.currentTarget.checked)}
          />
          {plan.blocked && (
            <p className={classes.blocked}>
              The records do not allow this yet. Change them or the draft, then come back.
            </p>
          )}
          {plan.lossy && !plan.blocked && (
            <Checkbox
              label="I agree: what is named above may be lost."
              checked={agreed}
              onChange={(event) => setAgreed(event.currentTarget.checked)}
            />
          )}
        </div>
      )}
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={onClose}>
          Back to the draft
        </Button>
        <Button
          color={plan?.lossy ? "red" : undefined}
          disabled={!mayPut}
          loading={busy}
          onClick={() => void put()}
        >
          {plan?.lossy ? "Put in force and lose it" : "Put in force"}
        </Button>
      </Group>
    </Modal>
  );
}

function isOvertaken(error: unknown): boolean {
  return error instanceof Refusal && error.code === "model_conflict";
}

function wordsOf(error: unknown): string {
  const [first] = problemsOf(error);
  return first ? first.message : problemText(error);
}
