import { Button } from "@mantine/core";
import { useState } from "react";
import type { Draft } from "../../../../shared/document/draft.ts";
import { treeToRole } from "../../../../shared/policy/role-tree.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { changeRole } from "../../sync/calls/roles.ts";
import { problemText } from "../../ui/problem-text.ts";
import { toast } from "../../ui/toast.tsx";
import { patchOf } from "./role-draft.ts";
import classes from "./roles.module.css";

interface Props {
  role: RoleInfo;
  draft: Draft;
  changes: number;
  conflicts: number;
  onDiscard: () => void;
  onSaved: () => void;
  /** Somebody else was quicker: what they saved is to be read. */
  onConflict: () => void;
}

/** What is not saved yet, whom it will concern, and the way on and back. */
export function SaveBar(props: Props) {
  const { role, draft, changes, conflicts, onDiscard, onSaved, onConflict } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    const patch = patchOf(draft);
    if (!patch || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await changeRole(role.id, patch);
      toast(`“${treeToRole(draft.mine).name}” is saved.`);
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
        {conflicts > 0 ? conflictWords(conflicts) : changesLabel(changes, role.users ?? 0)}
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
        <Button loading={busy} disabled={conflicts > 0} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </section>
  );
}

function changesLabel(changes: number, users: number): string {
  const subject = changes === 1 ? "One change" : `${changes} changes`;
  if (users === 0) return `${subject}, not saved.`;
  const affectedUsers = users === 1 ? "one person" : `${users} people`;
  return `${subject}, not saved. Saving acts on ${affectedUsers} at once.`;
}

function conflictWords(conflicts: number): string {
  const subject = conflicts === 1 ? "One part was" : `${conflicts} parts were`;
  return `${subject} changed by somebody else too. Choose above, then save.`;
}
