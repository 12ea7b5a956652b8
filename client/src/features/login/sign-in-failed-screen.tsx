import { Button, Stack } from "@mantine/core";
import { signInTexts } from "../../../../shared/error-texts/sign-in-texts.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { nextAfterRefusal } from "../../access/next-address.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { useAccount } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { problemText } from "../../ui/problem-text.ts";
import { addPasskeyAddress, isUnableToConfirm } from "../../ui/provider-proof.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

addExplanations(signInTexts);

/** Where a browser comes back to from a provider that did not sign it in: why, and the way on. */
export function SignInFailedScreen() {
  const account = useAccount();
  const isSignedIn = account.kind === "signedIn";
  const provider = isSignedIn ? account.data.session.provider : undefined;
  const { data, problem } = useRemote(() => rest("GET /sign-in-methods"));
  const reason = data?.problem;
  const isUnable = isUnableToConfirm(reason);
  const title = isSignedIn
    ? isUnable
      ? messages.notConfirmed()
      : messages.refusedSignedIn()
    : messages.refused();
  useTitle(title);
  const text = reason
    ? problemText(Refusal.fromBody(reason as Parameters<typeof Refusal.fromBody>[0]))
    : messages.refusedText();
  return (
    <SignInLayout title={title} lead={data ? text : problem}>
      <Stack gap="sm">
        {provider && isUnable && (
          <Button component="a" href={addPasskeyAddress(provider.id)} size="md" fullWidth>
            {messages.addPasskey()}
          </Button>
        )}
        <Button
          component="a"
          href={nextAfterRefusal(location.search, isSignedIn)}
          variant={isUnable ? "default" : "filled"}
          size="md"
          fullWidth
        >
          {isSignedIn ? messages.goOn() : messages.backToSignIn()}
        </Button>
      </Stack>
    </SignInLayout>
  );
}
