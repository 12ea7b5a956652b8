import { useState } from "react";
import { Door } from "../../ui/door.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PasswordForm } from "./password-form.tsx";
import { type Asked, SecondFactorForm } from "./second-factor-form.tsx";

/** The door: email and password, and what more is asked. Where to go afterwards is the gate's concern. */
export function LoginScreen() {
  useTitle("Sign in");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [email, setEmail] = useState("");
  if (asked) {
    const back = () => {
      setEmail(asked.email);
      setAsked(null);
    };
    return (
      <Door key="second" title="Confirm that it is you" lead={`Signing in as ${asked.email}.`}>
        <SecondFactorForm asked={asked} onBack={back} />
      </Door>
    );
  }
  return (
    <Door title="Sign in" lead="Live tables for the people who keep things running.">
      <PasswordForm typed={email} onAsked={setAsked} />
    </Door>
  );
}
