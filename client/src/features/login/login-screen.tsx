import { Door } from "../../ui/door.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** The door: email and password. Where to go afterwards is the gate's concern. */
export function LoginScreen() {
  useTitle("Sign in");
  return (
    <Door title="Sign in" lead="Live tables for the people who keep things running.">
      <SignInForm />
    </Door>
  );
}
