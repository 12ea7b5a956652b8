import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PasswordForm } from "./password-form.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { type PendingSignIn, SecondFactorForm } from "./second-factor-form.tsx";

/** Email and password, then a second factor where one is required. The caller decides which screen follows. */
export function LoginScreen() {
  useTitle(messages.signIn());
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  const [email, setEmail] = useState("");
  if (pending) {
    const back = () => {
      setEmail(pending.email);
      setPending(null);
    };
    return (
      <SignInLayout
        key="second"
        title={messages.confirmTitle()}
        lead={messages.signingInAs({ email: pending.email })}
      >
        <SecondFactorForm pending={pending} onBack={back} />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={messages.signIn()} lead={messages.tagline()}>
      <PasswordForm typed={email} onSecondFactor={setPending} />
      <ProviderButtons />
    </SignInLayout>
  );
}
