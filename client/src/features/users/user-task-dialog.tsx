import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { ChangedUser, UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { AttributesDialog } from "./attributes-dialog.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { userChangeFor } from "./user-change.ts";
import type { UserTask } from "./user-menu.tsx";

interface Props {
  user: UserInfo;
  users: readonly UserInfo[];
  task: UserTask;
  onChanged: () => void;
  onClose: () => void;
}

/** The dialog of a user's action. */
export function UserTaskDialog({ user, users, task, onChanged, onClose }: Props) {
  const { name } = user;
  // Whoever signs somebody else out may have seen that somebody else used the account.
  const [revoke, setRevoke] = useState(true);
  switch (task) {
    case "attributes":
      return (
        <AttributesDialog
          user={user}
          users={users}
          change={userChangeFor(user, onChanged)}
          onClose={onClose}
        />
      );
    case "link":
      return <LinkDialog user={user} onClose={onClose} />;
    case "factors":
      return (
        <ConfirmDialog
          title={messages.removeFactorTitle({ name })}
          text={messages.removeFactorText()}
          action={messages.removeFactor()}
          run={async () => {
            await rest("DELETE /users/{id}/factors", { params: { id: user.id } });
            toast(messages.factorRemoved({ name }));
          }}
          onClose={onClose}
        />
      );
    case "sessions":
      return (
        <ConfirmDialog
          title={messages.endSessionsTitle({ name })}
          text={messages.endSessionsText()}
          action={messages.endSessions()}
          run={async () => {
            const call = { params: { id: user.id }, query: { revoke } };
            const { ended, ...made } = await rest("DELETE /users/{id}/sessions", call);
            toast(endedText(name, ended, made));
          }}
          onClose={onClose}
        >
          <Checkbox
            checked={revoke}
            onChange={({ currentTarget }) => setRevoke(currentTarget.checked)}
            label={messages.revokeMade()}
          />
        </ConfirmDialog>
      );
    case "disable":
      return (
        <ConfirmDialog
          title={messages.disableTitle({ name })}
          text={messages.disableText()}
          action={messages.disable()}
          run={() => userChangeFor(user, onChanged)({ status: "disabled" }, disabledText)}
          onClose={onClose}
        />
      );
    case "remove":
      return (
        <ConfirmDialog
          title={
            user.status === "invited"
              ? messages.revokeTitle({ name })
              : messages.removeTitle({ name })
          }
          text={user.status === "invited" ? messages.revokeText() : messages.removeText()}
          action={user.status === "invited" ? messages.revoke() : messages.remove()}
          run={async () => {
            await rest("DELETE /users/{id}", { params: { id: user.id } });
            toast(messages.removed({ name }));
            onChanged();
          }}
          onClose={onClose}
        />
      );
  }
}

function disabledText({ name, ended = { tokens: 0, webhooks: 0 } }: ChangedUser): string {
  return ended.tokens + ended.webhooks > 0
    ? messages.disabledAndRevoked({ name, ...ended })
    : messages.disabledDone({ name });
}

function endedText(
  name: string,
  ended: number,
  { tokens, webhooks }: { tokens: number; webhooks: number },
): string {
  if (tokens + webhooks > 0) return messages.signedOutAndRevoked({ name, tokens, webhooks });
  return ended === 0 ? messages.notSignedIn({ name }) : messages.signedOut({ name });
}
