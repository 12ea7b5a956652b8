import { Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { signIn } from "../../sync/calls/account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { signInProblem } from "./sign-in-problem.ts";
import { useTypedAgain } from "./use-typed-again.ts";

/** A sign-in with a correct password, and the second factors it accepts. */
export interface PendingSignIn {
  email: string;
  password: string;
  methods: readonly string[];
}

/** The second step of signing in: a code from an app, a recovery code, or a passkey. */
export function SecondFactorForm({
  pending,
  onBack,
}: {
  pending: PendingSignIn;
  onBack: () => void;
}) {
  const { methods, ...credentials } = pending;
  const [method, setMethod] = useState(methods.includes("totp") ? "totp" : "recovery");
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null);
  const { submit, busy, problem } = useSubmit(({ code = "" }) => {
    setPasskeyProblem(null);
    return signIn({ ...credentials, code });
  }, signInProblem);
  const other = method === "totp" ? "recovery" : "totp";
  const hasPasskey = methods.includes("passkey");
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem ?? passkeyProblem} focus={problem === null} />
        <Text c="dimmed">{leadOf(method, hasPasskey)}</Text>
        {hasPasskey && <PasskeyButton onProblem={setPasskeyProblem} />}
        {methods.includes(method) && <CodeInput key={method} method={method} problem={problem} />}
        {methods.includes(method) && (
          <Button type="submit" size="md" fullWidth loading={busy}>
            {messages.continue()}
          </Button>
        )}
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {messages.back()}
          </Anchor>
          {methods.includes(other) && (
            <Anchor component="button" type="button" size="sm" onClick={() => setMethod(other)}>
              {other === "recovery" ? messages.withRecoveryCode() : messages.withApp()}
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function leadOf(method: string, hasPasskey: boolean): string {
  if (method === "totp") return messages.leadApp();
  return hasPasskey ? messages.leadPasskey() : messages.leadRecovery();
}

function CodeInput({ method, problem }: { method: string; problem: string | null }) {
  const digits = method === "totp";
  const input = useTypedAgain(problem);
  return (
    <TextInput
      ref={input}
      name="code"
      error={problem !== null}
      label={digits ? messages.code() : messages.recoveryCode()}
      autoComplete={digits ? "one-time-code" : "off"}
      inputMode={digits ? "numeric" : "text"}
      placeholder={digits ? "123456" : "xxxxxx-xxxxxx-xxxxxx-xxxxxx"}
      autoCapitalize="none"
      spellCheck={false}
      size="md"
      required
      autoFocus
    />
  );
}
