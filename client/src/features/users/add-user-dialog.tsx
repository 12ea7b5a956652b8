import { Modal, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreatedUser } from "../../../../shared/protocol/users.ts";
import { NewPasswordInput } from "../../access/new-password-input.tsx";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { useMe } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { NameInput } from "../../ui/name-input.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";
import { rolesFor } from "./offered-roles.ts";

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
          text={(invited.mailed ? messages.mailedInvitationText : messages.invitationText)({
            name: invited.name,
          })}
          secret={invited.invitation}
          copyLabel={messages.copyLink()}
          onDone={onClose}
        />
      ) : (
        <AddUserForm roles={roles} onAdded={added} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Name, email, role and sign-in method of a new user: an invitation link or a password. */
function AddUserForm(props: {
  roles: Props["roles"];
  onAdded: (user: CreatedUser) => void;
  onClose: () => void;
}) {
  const me = useMe();
  const [method, setMethod] = useState("invitation");
  const send = async ({ name = "", email = "", role = "", password }: Record<string, string>) => {
    const user = await rest("POST /users", {
      body: { name, email, role, ...(password ? { password } : {}) },
    });
    if (!user.invitation) toast(messages.added({ name: user.name }));
    props.onAdded(user);
  };
  const choices = rolesFor(me, props.roles).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SubmitForm
      send={send}
      // An invitation takes the place of the form.
      onDone={method === "password" ? props.onClose : undefined}
      action={method === "password" ? messages.addUser() : messages.createInvitation()}
    >
      <NameInput label={messages.name()} />
      <TextInput {...noFill} name="email" type="email" label={messages.email()} required />
      <NativeSelect name="role" label={messages.role()} defaultValue="editor" data={choices} />
      <Radio.Group label={messages.method()} value={method} onChange={setMethod}>
        <Stack gap="sm" mt="xs">
          <Radio value="invitation" label={messages.byLink()} description={messages.byLinkText()} />
          <Radio
            value="password"
            label={messages.byPassword()}
            description={messages.byPasswordText()}
          />
        </Stack>
      </Radio.Group>
      {method === "password" && <NewPasswordInput />}
    </SubmitForm>
  );
}
