import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { NewPasswordInput } from "../../access/new-password-input.tsx";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { rest } from "../../transport/rest/rest.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { LinkScreen } from "./link-screen.tsx";

/** Sets a new password by a reset link. The user signs in afterwards. */
export function PasswordResetScreen() {
  const [done, setDone] = useState(false);
  if (done) {
    return (
      <SignInLayout title={messages.passwordChanged()} lead={messages.signedOutEverywhere()}>
        <Button component="a" href="/login" size="md" fullWidth>
          {messages.signIn()}
        </Button>
      </SignInLayout>
    );
  }
  return (
    <LinkScreen
      title={messages.newPassword()}
      read={(token) => rest("GET /password-resets/{token}", { params: { token } })}
      invalidTitle={messages.resetInvalid()}
      invalidText={messages.askForReset()}
    >
      {({ email, tokens, webhooks }, token) => (
        <SignInLayout title={messages.newPassword()} lead={messages.resetLead({ email })}>
          <SubmitForm
            send={async ({ password = "", revoke }) => {
              const hasMade = tokens + webhooks > 0;
              await rest("POST /password-resets/{token}", {
                params: { token },
                body: { password, revoke: revoke !== undefined || !hasMade },
              });
              setDone(true);
            }}
            action={messages.changePassword()}
            button={{ size: "md" }}
          >
            {/* names the account for password managers */}
            <input
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              readOnly
              hidden
            />
            <NewPasswordInput label={messages.newPassword()} autoFocus />
            {tokens + webhooks > 0 && (
              <Checkbox
                name="revoke"
                defaultChecked
                label={messages.revokeMade()}
                description={messages.revokeMadeText({ tokens, webhooks })}
              />
            )}
          </SubmitForm>
        </SignInLayout>
      )}
    </LinkScreen>
  );
}
