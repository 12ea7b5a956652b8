import { Modal } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreatedUser } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { AddUserForm } from "./add-user-form.tsx";

interface Props {
  opened: boolean;
  roles: readonly RoleInfo[];
  onClose: () => void;
  onAdded: () => void;
}

/** Adds a user. For an invitation it then shows the link, once: a stray click or key must not close it. */
export function AddUserDialog({ opened, roles, onClose, onAdded }: Props) {
  const [invited, setInvited] = useState<CreatedUser | null>(null);
  const added = (user: CreatedUser) => {
    onAdded();
    if (user.invitation) setInvited(user);
    else onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setInvited(null)}
      title={invited ? messages.invite({ name: invited.name }) : messages.addUser()}
      size={440}
      closeOnClickOutside={invited === null}
      closeOnEscape={invited === null}
    >
      {invited?.invitation ? (
        <OneTimeSecret
          label={messages.invitationLink()}
          text={messages.invitationText({ name: invited.name })}
          secret={invited.invitation}
          copyLabel={messages.copyLink()}
          onDone={onClose}
        />
      ) : (
        <AddUserForm roles={roles} onAdded={added} />
      )}
    </Modal>
  );
}
