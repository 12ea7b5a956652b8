import { Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { signIn } from "../../sync/account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { signInProblem } from "./sign-in-problem.ts";

/** A sign-in whose password was right, and by what it may be completed. */
export interface Asked {
  email: string;
  password: string;
  methods: readonly string[];
}

/** The second step at the door: a code of the app, a recovery code, or a passkey. */
export function SecondFactorForm({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { methods, ...credentials } = asked;
  const [way, setWay] = useState(methods.includes("totp") ? "totp" : "recovery");
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null);
  const { submit, busy, problem } = useSubmit(({ code = "" }) => {
    setPasskeyProblem(null);
    return signIn({ ...credentials, code });
  }, signInProblem);
  const other = way === "totp" ? "recovery" : "totp";
  const hasPasskey = methods.includes("passkey");
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem ?? passkeyProblem} />
        <Text c="dimmed">{hasPasskey && way !== "totp" ? leads.passkey : leads[way]}</Text>
        {hasPasskey && <PasskeyButton onProblem={setPasskeyProblem} />}
        {methods.includes(way) && <CodeInput key={way} way={way} />}
        {methods.includes(way) && (
          <Button type="submit" size="md" fullWidth loading={busy}>
            Go on
          </Button>
        )}
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            Back
          </Anchor>
          {methods.includes(other) && (
            <Anchor component="button" type="button" size="sm" onClick={() => setWay(other)}>
              {other === "recovery" ? "Use a recovery code" : "Use the app"}
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const leads: Record<string, string> = {
  totp: "Enter the six digits that your authenticator app shows for Watchfloor.",
  recovery: "Enter one of the recovery codes that you kept. Each works once.",
  passkey: "Use your passkey, or one of the recovery codes that you kept.",
};

function CodeInput({ way }: { way: string }) {
  const digits = way === "totp";
  return (
    <TextInput
      name="code"
      label={digits ? "Code" : "Recovery code"}
      autoComplete={digits ? "one-time-code" : "off"}
      inputMode={digits ? "numeric" : "text"}
      placeholder={digits ? "123456" : "xxxxxx-xxxxxx-xxxxxx-xxxxxx"}
      autoCapitalize="none"
      spellCheck={false}
      size="md"
      required
      withAsterisk={false}
      autoFocus
    />
  );
}
