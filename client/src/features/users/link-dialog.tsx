import { Modal } from "@mantine/core";
import { useState } from "react";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { makeInvitation, makeResetLink } from "../../sync/calls/users.ts";
import { formatMoment } from "../../ui/numbers.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { OneTimeLink } from "./one-time-link.tsx";

interface Kind {
  make: (user: string) => Promise<{ link: string; expires: string }>;
  title: (name: string) => string;
  text: string;
  label: string;
}

const invitation: Kind = {
  make: makeInvitation,
  title: (name) => `A new invitation for ${name}`,
  text: "You get a link to send to them. It opens once and lets them choose a password. The link that they were sent before stops working.",
  label: "Invitation link",
};

const reset: Kind = {
  make: makeResetLink,
  title: (name) => `A new password for ${name}`,
  text: "You get a link to send to them. It opens once and lets them choose a new password. Until they do, the present one stays good. A link that was made before stops working.",
  label: "Link for a new password",
};

/** Makes a link by which somebody chooses a password, their first or a new one, and shows it, this once. */
export function LinkDialog({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const [{ make, title, text, label }] = useState(user.status === "invited" ? invitation : reset);
  const [made, setMade] = useState<{ link: string; expires: string } | null>(null);
  if (!made) {
    return (
      <ConfirmDialog
        title={title(user.name)}
        text={text}
        action="Make the link"
        run={async () => setMade(await make(user.id))}
        keepOpen
        onClose={onClose}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={title(user.name)} size={440} padding="xl">
      <OneTimeLink
        label={label}
        text={`Send this link to ${user.name}. It opens once, until ${formatMoment(made.expires)}. It won't be shown again.`}
        link={made.link}
        onDone={onClose}
      />
    </Modal>
  );
}
