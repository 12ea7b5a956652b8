import { Anchor, Text } from "@mantine/core";
import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { signOut } from "../../sync/calls/account.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordForm } from "./password-form.tsx";
import { type PendingSignIn, SecondFactorForm } from "./second-factor-form.tsx";

/**
 * Shown over the page when its session has ended. The same user signs in again and continues with everything on the
 * page, pending edits included. Another user starts with a new page.
 */
export function SessionEndedSheet({ email }: { email: string }) {
  const leave = () => void signOut().catch(() => location.assign("/login"));
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size={400}
      title={messages.sessionEnded()}
    >
      <Text c="dimmed" size="md" mb="lg">
        {messages.sessionEndedLead()}
      </Text>
      <SignInForm email={email} />
      <Text size="sm" mt="lg" ta="center">
        <Anchor component="button" type="button" size="sm" onClick={leave}>
          {messages.signInAsOther()}
        </Anchor>
      </Text>
    </Dialog>
  );
}

/** Both steps of signing in again, for the user whose session ended. */
function SignInForm({ email }: { email: string }) {
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  if (pending) return <SecondFactorForm pending={pending} onBack={() => setPending(null)} />;
  return <PasswordForm email={email} onSecondFactor={setPending} />;
}
