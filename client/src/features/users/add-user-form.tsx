import { Button, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreatedUser } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { useMe } from "../../state/use-account.ts";
import { addUser } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { rolesFor } from "./offered-roles.ts";

interface Props {
  roles: readonly RoleInfo[];
  onAdded: (user: CreatedUser) => void;
}

/** Name, email, role and sign-in method of a new user: an invitation link or a password. */
export function AddUserForm({ roles, onAdded }: Props) {
  const me = useMe();
  const [method, setMethod] = useState("invitation");
  const { submit, busy, problem } = useSubmit(
    async ({ name = "", email = "", role = "", password }) => {
      const user = await addUser({ name, email, role, ...(password ? { password } : {}) });
      if (!user.invitation) toast(messages.added({ name: user.name }));
      onAdded(user);
    },
  );
  const field = { required: true, withAsterisk: false } as const;
  const choices = rolesFor(me, roles).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <TextInput
          {...field}
          name="name"
          label={messages.name()}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          {...field}
          name="email"
          type="email"
          label={messages.email()}
          autoComplete="off"
        />
        <NativeSelect name="role" label={messages.role()} defaultValue="editor" data={choices} />
        <Radio.Group label={messages.method()} value={method} onChange={setMethod}>
          <Stack gap="sm" mt="xs">
            <Radio
              value="invitation"
              label={messages.byLink()}
              description={messages.byLinkText()}
            />
            <Radio
              value="password"
              label={messages.byPassword()}
              description={messages.byPasswordText()}
            />
          </Stack>
        </Radio.Group>
        {method === "password" && <NewPasswordInput name="password" />}
        <Button type="submit" loading={busy} mt="xs">
          {method === "password" ? messages.addUser() : messages.createInvitation()}
        </Button>
      </Stack>
    </form>
  );
}
