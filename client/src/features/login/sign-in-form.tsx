import { useState } from "react";
import { PasswordForm } from "./password-form.tsx";
import { type Asked, SecondFactorForm } from "./second-factor-form.tsx";

/** Signs somebody in whose session ended under an open page, in both steps. */
export function SignInForm({ email }: { email: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  if (asked) return <SecondFactorForm asked={asked} onBack={() => setAsked(null)} />;
  return <PasswordForm email={email} onAsked={setAsked} />;
}
