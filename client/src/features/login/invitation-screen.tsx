import { Button, Loader, Stack, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { InvitationInfo } from "../../../../shared/protocol/users.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { acceptInvitation, readInvitation } from "../../sync/calls/invitation.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { tokenOfAddress } from "../../ui/token-of-address.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { useTitle } from "../../ui/use-title.ts";

type Reading = { info: InvitationInfo } | { problem: string } | null;

/** Accepts an invitation: the invited user checks their name and chooses a password. */
export function InvitationScreen() {
  useTitle(messages.invitation());
  const token = tokenOfAddress(location) ?? "";
  const [reading, setReading] = useState<Reading>(null);
  useEffect(() => {
    readInvitation(token).then(
      (info) => setReading({ info }),
      (error) => setReading({ problem: problemText(error) }),
    );
  }, [token]);
  if (!reading)
    return (
      <SignInLayout title={messages.invitation()}>
        <Loader size="sm" aria-label={messages.loading()} />
      </SignInLayout>
    );
  if ("problem" in reading) {
    return (
      <SignInLayout title={messages.invitationInvalid()} lead={reading.problem}>
        {messages.askForInvitation()}
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title={messages.welcome()}
      lead={messages.choosePassword({ email: reading.info.email })}
    >
      <AcceptForm token={token} name={reading.info.name} />
    </SignInLayout>
  );
}

function AcceptForm({ token, name }: { token: string; name: string }) {
  const { submit, busy, problem } = useSubmit(({ password = "", name = "" }) =>
    acceptInvitation(token, { password, name }),
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <TextInput
          name="name"
          label={messages.yourName()}
          autoComplete="name"
          size="md"
          defaultValue={name}
          required
          withAsterisk={false}
        />
        <NewPasswordInput name="password" />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          {messages.acceptInvitation()}
        </Button>
      </Stack>
    </form>
  );
}
