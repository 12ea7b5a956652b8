import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { meMessages as messages } from "../../messages/en/me.ts";
import { describeAgent } from "../../ui/describe-agent.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
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
  const { submit, busy, problem } = useSubmit(({ password = "", name = "" }) =>
    onConfirmed(password, name),
  );
  const isRemoval = change.kind === "removeTotp" || change.kind === "removePasskey";
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <Text c="dimmed">{texts[change.kind]()}</Text>
        {change.kind === "addPasskey" && (
          <TextInput
            name="name"
            label={messages.passkeyName()}
            description={messages.passkeyNameText()}
            defaultValue={describeAgent(navigator.userAgent).label}
            maxLength={60}
            required
            withAsterisk={false}
          />
        )}
        <PasswordInput
          name="password"
          label={messages.yourPassword()}
          visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} {...(isRemoval && { color: "red" })}>
            {actions[change.kind]()}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
