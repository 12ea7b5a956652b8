import { PasswordInput, Text, TextInput } from "@mantine/core";
import { describeAgent } from "../../access/describe-agent.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import type { FactorChange } from "./factor-change.ts";

const texts: Record<FactorChange["kind"], () => string> = {
  addTotp: messages.addAppText,
  removeTotp: messages.removeAppText,
  addPasskey: messages.addPasskeyText,
  removePasskey: messages.removePasskeyText,
  renewCodes: messages.newCodesText,
};

const actions: Record<FactorChange["kind"], () => string> = {
  addTotp: messages.continue,
  removeTotp: messages.remove,
  addPasskey: messages.continue,
  removePasskey: messages.remove,
  renewCodes: messages.createCodes,
};

interface Props {
  change: FactorChange;
  onConfirmed: (password: string, name: string) => Promise<void>;
}

/** Explains the change and asks for the password: an open session does not prove who uses it. */
export function PasswordConfirmForm({ change, onConfirmed }: Props) {
  const isRemoval = change.kind === "removeTotp" || change.kind === "removePasskey";
  return (
    <SubmitForm
      send={({ password = "", name = "" }) => onConfirmed(password, name)}
      action={actions[change.kind]()}
      button={isRemoval ? { color: "red" } : undefined}
    >
      <Text c="dimmed">{texts[change.kind]()}</Text>
      {change.kind === "addPasskey" && (
        <TextInput
          name="name"
          label={messages.passkeyName()}
          description={messages.passkeyNameText()}
          defaultValue={describeAgent(navigator.userAgent).label}
          maxLength={60}
          required
        />
      )}
      <PasswordInput
        name="password"
        label={messages.yourPassword()}
        visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
        autoComplete="current-password"
        required
        data-autofocus
      />
    </SubmitForm>
  );
}
