import { Modal } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreatedUser } from "../../../../shared/protocol/users.ts";
import { AddUserForm } from "./add-user-form.tsx";
import { OneTimeLink } from "./one-time-link.tsx";

interface Props {
  opened: boolean;
  roles: readonly RoleInfo[];
  onClose: () => void;
  onAdded: () => void;
}

/** Adds a user; for an invited one it then shows the link, which is not shown again. */
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
      title={invited ? `Invite ${invited.name}` : "Add a user"}
      size={440}
      padding="xl"
    >
      {invited?.invitation ? (
        <OneTimeLink
          label="Invitation link"
          text={`Send this link to ${invited.name}. It opens once, and lets them choose a password. It won't be shown again.`}
          link={invited.invitation}
          onDone={onClose}
        />
      ) : (
        <AddUserForm roles={roles} onAdded={added} />
      )}
    </Modal>
  );
}
