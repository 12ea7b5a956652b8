import { Button } from "@mantine/core";
import { signInTexts } from "../../../../shared/error-texts/sign-in-texts.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { useAccount } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { problemText } from "../../ui/problem-text.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

addExplanations(signInTexts);

/** Where a browser comes back to from a provider that did not sign it in: why, and the way on. */
export function SignInFailedScreen() {
  useTitle(messages.refused());
  const isSignedIn = useAccount().kind === "signedIn";
  const { data, problem } = useRemote(() => rest("GET /sign-in-methods"));
  const reason = data?.problem;
  const text = reason
    ? problemText(Refusal.fromBody(reason as Parameters<typeof Refusal.fromBody>[0]))
    : messages.refusedText();
  return (
    <SignInLayout title={messages.refused()} lead={data ? text : problem}>
      <Button component="a" href={isSignedIn ? "/" : "/login"} size="md" fullWidth>
        {isSignedIn ? messages.goOn() : messages.backToSignIn()}
      </Button>
    </SignInLayout>
  );
}
