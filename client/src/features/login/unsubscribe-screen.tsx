import { Button } from "@mantine/core";
import { useState } from "react";
import { inboxMessages as messages } from "../../messages/en/inbox.ts";
import { rest } from "../../transport/rest/rest.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Ends the mail of notifications. Opening the page does nothing: programs that scan mail open every link. */
export function UnsubscribeScreen({ token }: { token: string }) {
  useTitle(messages.unsubscribe());
  const [done, setDone] = useState(false);
  if (done) {
    return (
      <SignInLayout title={messages.unsubscribed()} lead={messages.unsubscribedLead()}>
        <Button component="a" href="/me" variant="default" size="md" fullWidth>
          {messages.preferences()}
        </Button>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={messages.unsubscribe()} lead={messages.unsubscribeLead()}>
      <SubmitForm
        send={async () => {
          await rest("POST /unsubscribe/{token}", { params: { token } });
          setDone(true);
        }}
        action={messages.unsubscribe()}
        button={{ size: "md" }}
      >
        {null}
      </SubmitForm>
    </SignInLayout>
  );
}
