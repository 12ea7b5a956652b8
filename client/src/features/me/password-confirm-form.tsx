import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { describeAgent } from "../../ui/describe-agent.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import type { FactorChange } from "./factor-change.ts";

const texts: Record<FactorChange["kind"], string> = {
  addTotp:
    "From then on, signing in asks for a code of the app too. You will need an app such as Google Authenticator, Microsoft Authenticator or 2FAS.",
  removeTotp: "Signing in will not ask for its codes any more.",
  addPasskey:
    "From then on, the password alone is not enough. The passkey signs in by itself, from this device or where your passkeys are synchronised.",
  removePasskey: "It won't open Watchfloor any more. Your device may go on listing it.",
  renewCodes: "The codes that you have now will stop working.",
};

const actions: Record<FactorChange["kind"], string> = {
  addTotp: "Continue",
  removeTotp: "Remove",
  addPasskey: "Continue",
  removePasskey: "Remove",
  renewCodes: "Make new codes",
};

interface Props {
  change: FactorChange;
  onConfirmed: (password: string, name: string) => Promise<void>;
}

/** Says what will be, and asks for the password: an open screen is no proof of who sits there. */
export function PasswordConfirmForm({ change, onConfirmed }: Props) {
  const { submit, busy, problem } = useSubmit(({ password = "", name = "" }) =>
    onConfirmed(password, name),
  );
  const isRemoval = change.kind === "removeTotp" || change.kind === "removePasskey";
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <Text c="dimmed">{texts[change.kind]}</Text>
        {change.kind === "addPasskey" && (
          <TextInput
            name="name"
            label="Name of the passkey"
            description="So that you know it again in the list."
            defaultValue={describeAgent(navigator.userAgent).label}
            maxLength={60}
            required
            withAsterisk={false}
          />
        )}
        <PasswordInput
          name="password"
          label="Your password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} {...(isRemoval && { color: "red" })}>
            {actions[change.kind]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
