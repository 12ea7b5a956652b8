import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { useMe } from "../../state/use-account.ts";
import { changeMyPassword } from "../../sync/calls/my-security.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { Part } from "./part.tsx";

/** Another password: the present one is asked, and other sessions end. */
export function PasswordPart({ onChanged }: { onChanged: () => void }) {
  const { email } = useMe();
  const [formKey, setFormKey] = useState(0);
  const { submit, busy, problem } = useSubmit(async ({ current = "", password = "" }) => {
    await changeMyPassword({ current, password });
    setFormKey((before) => before + 1);
    toast("Your password is changed. You are signed out everywhere else.");
    onChanged();
  });
  return (
    <Part title="Password" text="Changing it signs you out everywhere else.">
      <form onSubmit={submit} key={formKey}>
        <Stack gap="md" maw={360}>
          <FormProblem problem={problem} />
          <input type="hidden" name="email" autoComplete="username" value={email} />
          <PasswordInput
            name="current"
            label="Present password"
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <NewPasswordInput name="password" label="New password" size="sm" />
          <Group>
            <Button type="submit" variant="default" loading={busy}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Part>
  );
}
