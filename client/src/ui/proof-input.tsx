import { PasswordInput } from "@mantine/core";
import { meMessages as messages } from "../messages/en/me.ts";

/**
 * The password of the signed-in user, as a proof of who they are. Loaded when a form asks for it, which is rarely: forms are in the
 * first load.
 */
export function ProofInput({ name }: { name: string }) {
  return (
    <PasswordInput
      name={name}
      label={messages.yourPassword()}
      visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
      autoComplete="current-password"
      autoFocus
      required
    />
  );
}
