import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { Door } from "../../ui/door.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PasswordForm } from "./password-form.tsx";
import { type Asked, SecondFactorForm } from "./second-factor-form.tsx";

/** Email and password, then a second factor where one is required. The caller decides which screen follows. */
export function LoginScreen() {
  useTitle(messages.signIn());
  const [asked, setAsked] = useState<Asked | null>(null);
  const [email, setEmail] = useState("");
  if (asked) {
    const back = () => {
      setEmail(asked.email);
      setAsked(null);
    };
    return (
      <Door
        key="second"
        title={messages.confirmTitle()}
        lead={messages.signingInAs({ email: asked.email })}
      >
        <SecondFactorForm asked={asked} onBack={back} />
      </Door>
    );
  }
  return (
    <Door title={messages.signIn()} lead={messages.tagline()}>
      <PasswordForm typed={email} onAsked={setAsked} />
    </Door>
  );
}
