import { TextInput } from "@mantine/core";
import { NewPasswordInput } from "../../access/new-password-input.tsx";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { acceptInvitation } from "../../sync/calls/invitation.ts";
import { rest } from "../../transport/rest/rest.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { LinkScreen } from "./link-screen.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";

/** Accepts an invitation: the invited user checks their name and chooses a password. */
export function InvitationScreen() {
  return (
    <LinkScreen
      title={messages.invitation()}
      read={(token) => rest("GET /invitations/{token}", { params: { token } })}
      invalidTitle={messages.invitationInvalid()}
      invalidText={messages.askForInvitation()}
    >
      {({ email, name: invitedName }, token) => (
        <SignInLayout title={messages.welcome()} lead={messages.choosePassword({ email })}>
          <SubmitForm
            send={({ password = "", name = "" }) => acceptInvitation(token, { password, name })}
            action={messages.acceptInvitation()}
            button={{ size: "md" }}
          >
            <TextInput
              name="name"
              label={messages.yourName()}
              autoComplete="name"
              size="md"
              defaultValue={invitedName}
              required
            />
            <NewPasswordInput />
          </SubmitForm>
          <ProviderButtons invitation={token} />
        </SignInLayout>
      )}
    </LinkScreen>
  );
}
