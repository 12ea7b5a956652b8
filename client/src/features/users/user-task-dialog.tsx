import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { removeFactorsOf, removeUser } from "../../sync/calls/users.ts";
import { toast } from "../../ui/toast.tsx";
import { AttributesDialog } from "./attributes-dialog.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
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

/** The dialog of what is to be done with a user. */
export function UserTaskDialog({ user, users, task, onChanged, onClose }: Props) {
  const { name } = user;
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
          title={`Remove ${name}'s second factor?`}
          text="For somebody who lost their phone and their recovery codes. They are signed out everywhere, and from then on come in with the password alone until they set up another one. Make sure that it is really them who asks."
          action="Remove the second factor"
          run={async () => {
            await removeFactorsOf(user.id);
            toast(`${name} signs in with the password alone.`);
          }}
          onClose={onClose}
        />
      );
    case "remove":
      return (
        <ConfirmDialog
          title={user.status === "invited" ? `Take ${name}'s invitation back?` : `Remove ${name}?`}
          text={
            user.status === "invited"
              ? "The link stops working."
              : "They are signed out and can't come back. What they did stays in the history. To keep them out for a while, disable them instead."
          }
          action={user.status === "invited" ? "Take it back" : "Remove"}
          run={async () => {
            await removeUser(user.id);
            toast(`${name} is removed.`);
            onChanged();
          }}
          onClose={onClose}
        />
      );
  }
}
