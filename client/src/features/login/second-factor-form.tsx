import { Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { signIn } from "../../sync/calls/account.ts";
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
        <FormProblem problem={problem ?? passkeyProblem} focus={problem === null} />
        <Text c="dimmed">{hasPasskey && way !== "totp" ? leads.passkey : leads[way]}</Text>
        {hasPasskey && <PasskeyButton onProblem={setPasskeyProblem} />}
        {methods.includes(way) && <CodeInput key={way} way={way} problem={problem} />}
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

/** Where a code was refused, it is typed anew: the field has the focus, and what it holds gives way. */
function CodeInput({ way, problem }: { way: string; problem: string | null }) {
  const digits = way === "totp";
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!problem) return;
    input.current?.focus();
    input.current?.select();
  }, [problem]);
  return (
    <TextInput
      ref={input}
      name="code"
      error={problem !== null}
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
