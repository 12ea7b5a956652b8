import { Button, Checkbox, Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { NewPasswordInput } from "../../access/new-password-input.tsx";
import { meMessages as messages } from "../../messages/en/me.ts";
import { useMe } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { Part } from "./part.tsx";

/** Changes the password. Requires the current one and ends all other sessions. */
export function PasswordPart({ onChanged }: { onChanged: () => void }) {
  const { email } = useMe();
  const factors = useRemote(() => rest("GET /me/factors")).data;
  const [formKey, setFormKey] = useState(0);
  const { submit, busy, problem } = useSubmit(async ({ current = "", password = "", revoke }) => {
    const body = { current, password, revoke: revoke !== undefined };
    await rest("PUT /me/password", { body });
    setFormKey((before) => before + 1);
    toast(messages.passwordChanged());
    onChanged();
  });
  // Who signs in by a provider has none.
  if (factors?.password === false) return null;
  return (
    <Part title={messages.password()} text={messages.passwordText()}>
      <form onSubmit={submit} key={formKey}>
        <Stack gap="md" maw={360}>
          <FormProblem problem={problem} />
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            name="current"
            label={messages.currentPassword()}
            visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
            autoComplete="current-password"
            required
          />
          <NewPasswordInput label={messages.newPassword()} size="sm" />
          <Checkbox name="revoke" label={messages.revokeMade()} />
          <Group>
            <Button type="submit" variant="default" loading={busy}>
              {messages.changePassword()}
            </Button>
          </Group>
        </Stack>
      </form>
    </Part>
  );
}
