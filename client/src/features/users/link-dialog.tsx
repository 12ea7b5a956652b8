import { useState } from "react";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatMoment } from "../../ui/numbers.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";

type Made = { link: string; expires: string; mailed: boolean };

interface Kind {
  make: (user: string) => Promise<Made>;
  title: (values: { name: string }) => string;
  text: () => string;
  label: () => string;
}

const invitation: Kind = {
  make: (id: string) => rest("POST /users/{id}/invitation", { params: { id } }),
  title: messages.newInvitation,
  text: messages.newInvitationText,
  label: messages.invitationLink,
};

const reset: Kind = {
  make: (id: string) => rest("POST /users/{id}/password-reset", { params: { id } }),
  title: messages.resetTitle,
  text: messages.resetText,
  label: messages.resetLink,
};

/** Creates a link with which a user chooses a first or a new password, and shows it once. */
export function LinkDialog({ user, onClose }: { user: UserInfo; onClose: () => void }) {
  const [{ make, title, text, label }] = useState(user.status === "invited" ? invitation : reset);
  const [made, setMade] = useState<Made | null>(null);
  if (!made) {
    return (
      <ConfirmDialog
        title={title(user)}
        text={text()}
        action={messages.createLink()}
        run={async () => setMade(await make(user.id))}
        keepOpen
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      onClose={onClose}
      title={title(user)}
      size={440}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <OneTimeSecret
        label={label()}
        text={(made.mailed ? messages.mailedLinkText : messages.linkText)({
          name: user.name,
          expires: formatMoment(made.expires),
        })}
        secret={made.link}
        copyLabel={messages.copyLink()}
        onDone={onClose}
      />
    </Dialog>
  );
}
