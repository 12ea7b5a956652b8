import { Anchor, Text } from "@mantine/core";
import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { hasUnsavedDrafts, signOut } from "../../sync/calls/account.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { type PendingSignIn, SecondFactorForm } from "./second-factor-form.tsx";

/**
 * Shown over the page when its session has ended. The same user signs in again and continues with everything on the
 * page, pending edits included. Another user starts with a new page, after a confirmation if that discards unsaved changes.
 */
export function SessionEndedSheet({ email }: { email: string }) {
  const [isAsking, setAsking] = useState(false);
  const leave = () => signOut().catch(() => location.assign("/login"));
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
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => (hasUnsavedDrafts() ? setAsking(true) : void leave())}
        >
          {messages.signInAsOther()}
        </Anchor>
      </Text>
      {isAsking && (
        <ConfirmDialog
          title={messages.signInAsOtherTitle()}
          text={messages.signInAsOtherText()}
          action={messages.signInAsOther()}
          run={leave}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  );
}

/** Both steps of signing in again, for the user whose session ended. */
function SignInForm({ email }: { email: string }) {
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  if (pending) return <SecondFactorForm pending={pending} onBack={() => setPending(null)} />;
  return (
    <>
      <PasswordForm email={email} onSecondFactor={setPending} />
      <ProviderButtons returnTo={location.pathname + location.search} />
    </>
  );
}
