import { Button, Loader, Stack, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { InvitationInfo } from "../../../../shared/protocol/users.ts";
import { acceptInvitation, readInvitation } from "../../sync/calls/invitation.ts";
import { Door } from "../../ui/door.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { tokenOfAddress } from "../../ui/token-of-address.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { useTitle } from "../../ui/use-title.ts";

type Reading = { info: InvitationInfo } | { problem: string } | null;

/** Where an invited person comes in: a name to correct, a password to choose. */
export function InvitationScreen() {
  useTitle("Invitation");
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
      <Door title="Invitation">
        <Loader size="sm" aria-label="Loading" />
      </Door>
    );
  if ("problem" in reading) {
    return (
      <Door title="This invitation doesn't open" lead={reading.problem}>
        Ask the person who invited you for a new link.
      </Door>
    );
  }
  return (
    <Door title="Welcome" lead={`Choose a password for ${reading.info.email}.`}>
      <AcceptForm token={token} name={reading.info.name} />
    </Door>
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
          label="Your name"
          autoComplete="name"
          size="md"
          defaultValue={name}
          required
          withAsterisk={false}
        />
        <NewPasswordInput name="password" />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          Come in
        </Button>
      </Stack>
    </form>
  );
}
