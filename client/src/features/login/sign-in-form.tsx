import { useState } from "react";
import { PasswordForm } from "./password-form.tsx";
import { type PendingSignIn, SecondFactorForm } from "./second-factor-form.tsx";

/** Both steps of signing in again, for the user whose session ended. */
export function SignInForm({ email }: { email: string }) {
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  if (pending) return <SecondFactorForm pending={pending} onBack={() => setPending(null)} />;
  return <PasswordForm email={email} onSecondFactor={setPending} />;
}
