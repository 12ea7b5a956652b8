import { Button } from "@mantine/core";
import { useState } from "react";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { changeRole } from "../../sync/calls/roles.ts";
import { problemText } from "../../ui/problem-text.ts";
import { toast } from "../../ui/toast.tsx";
import { patchOf, type RoleDraft } from "./role-draft.ts";
import classes from "./roles.module.css";

interface Props {
  role: RoleInfo;
  draft: RoleDraft;
  changes: number;
  clashes: number;
  onDiscard: () => void;
  onSaved: () => void;
  /** Somebody else was quicker: what they saved is to be read. */
  onConflict: () => void;
}

/** What is not saved yet, whom it will concern, and the way on and back. */
export function SaveBar(props: Props) {
  const { role, draft, changes, clashes, onDiscard, onSaved, onConflict } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    const patch = patchOf(draft);
    if (!patch || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await changeRole(role.id, patch);
      toast(`“${String(draft.mine.name)}” is saved.`);
      onSaved();
    } catch (error) {
      if (error instanceof Refusal && error.code === "conflict") onConflict();
      setProblem(problemText(error));
    }
    setBusy(false);
  };
  return (
    <section className={classes.bar} aria-label="Unsaved changes">
      <p role="status">
        {clashes > 0 ? clashWords(clashes) : changeWords(changes, role.users ?? 0)}
        {problem && (
          <span role="alert" className={classes.problem}>
            {problem}
          </span>
        )}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <Button loading={busy} disabled={clashes > 0} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </section>
  );
}

function changeWords(changes: number, users: number): string {
  const what = changes === 1 ? "One change" : `${changes} changes`;
  if (users === 0) return `${what}, not saved.`;
  const whom = users === 1 ? "one person" : `${users} people`;
  return `${what}, not saved. Saving acts on ${whom} at once.`;
}

function clashWords(clashes: number): string {
  const what = clashes === 1 ? "One part was" : `${clashes} parts were`;
  return `${what} changed by somebody else too. Choose above, then save.`;
}
