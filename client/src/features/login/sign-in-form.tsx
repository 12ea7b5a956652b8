import { useState } from "react";
import { PasswordForm } from "./password-form.tsx";
import { type Asked, SecondFactorForm } from "./second-factor-form.tsx";

/** Both steps of signing in again, for the user whose session ended. */
export function SignInForm({ email }: { email: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  if (asked) return <SecondFactorForm asked={asked} onBack={() => setAsked(null)} />;
  return <PasswordForm email={email} onAsked={setAsked} />;
}
