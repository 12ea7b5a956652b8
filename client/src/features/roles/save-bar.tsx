import { Button, Group, Text } from "@mantine/core";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { rest } from "../../transport/rest/rest.ts";
import { problemText } from "../../ui/problem-text.ts";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { patchOf, type RoleDraft } from "./role-draft.ts";
import classes from "./roles.module.css";

interface Props {
  role: RoleInfo;
  draft: RoleDraft;
  changes: number;
  conflicts: number;
  /** It was saved, by this user or by another one first: the stored role must be read again. */
  onSaved: () => void;
}

/** The number of unsaved changes and affected users, with buttons to save and discard. */
export function SaveBar(props: Props) {
  const { role, draft, changes, conflicts, onSaved } = props;
  const { isBusy, problem, run } = useAction((error) => {
    if (error instanceof Refusal && error.code === "conflict") onSaved();
    return problemText(error);
  });
  const save = async () => {
    const sent = draft.state;
    const patch = patchOf(sent);
    if (!patch) return;
    await rest("PATCH /roles/{id}", { params: { id: role.id }, body: patch });
    draft.saved(sent);
    toast(messages.saved({ name: sent.draft.name }));
    onSaved();
  };
  return (
    <section className={classes.bar} aria-label={messages.unsavedChanges()}>
      <p role="status">
        {conflicts > 0
          ? messages.conflicts({ count: conflicts })
          : changesLabel(changes, role.users ?? 0)}
        {problem && (
          <Text role="alert" span inherit display="block" c="var(--wf-bad)">
            {problem}
          </Text>
        )}
      </p>
      <Group gap={8} align="stretch" wrap="nowrap">
        <Button variant="default" disabled={isBusy} onClick={() => draft.discard()}>
          {messages.discard()}
        </Button>
        <Button
          loading={isBusy}
          disabled={conflicts > 0 || changes === 0}
          onClick={() => void run(save)}
        >
          {messages.save()}
        </Button>
      </Group>
    </section>
  );
}

function changesLabel(changes: number, users: number): string {
  return users === 0 ? messages.changes({ changes }) : messages.changesAffect({ changes, users });
}
