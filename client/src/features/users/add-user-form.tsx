import { Button, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreatedUser } from "../../../../shared/protocol/users.ts";
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

/** Who is added, as what, and how they come in: by a link that they open, or a password I tell them. */
export function AddUserForm({ roles, onAdded }: Props) {
  const me = useMe();
  const [method, setMethod] = useState("invitation");
  const { submit, busy, problem } = useSubmit(
    async ({ name = "", email = "", role = "", password }) => {
      const user = await addUser({ name, email, role, ...(password ? { password } : {}) });
      if (!user.invitation) toast(`${user.name} may sign in now.`);
      onAdded(user);
    },
  );
  const field = { required: true, withAsterisk: false } as const;
  const choices = rolesFor(me, roles).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <TextInput {...field} name="name" label="Name" autoComplete="off" data-autofocus />
        <TextInput {...field} name="email" type="email" label="Email" autoComplete="off" />
        <NativeSelect name="role" label="Role" defaultValue="editor" data={choices} />
        <Radio.Group label="How they come in" value={method} onChange={setMethod}>
          <Stack gap="sm" mt="xs">
            <Radio
              value="invitation"
              label="By a link"
              description="They open it once and choose a password."
            />
            <Radio
              value="password"
              label="With a password"
              description="You choose it and tell them."
            />
          </Stack>
        </Radio.Group>
        {method === "password" && <NewPasswordInput name="password" />}
        <Button type="submit" loading={busy} mt="xs">
          {method === "password" ? "Add the user" : "Make the invitation"}
        </Button>
      </Stack>
    </form>
  );
}
