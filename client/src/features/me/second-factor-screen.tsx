import { Anchor, Button, Text, TextInput } from "@mantine/core";
import { IconDeviceMobileCode, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { signInTexts } from "../../../../shared/error-texts/sign-in-texts.ts";
import type { Factors } from "../../../../shared/protocol/account.ts";
import type { SessionInfo } from "../../../../shared/protocol/session.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { loadAccount, signOut } from "../../sync/calls/account.ts";
import { passkeysSupported, showPasskey } from "../../sync/calls/passkey.ts";
import { rest } from "../../transport/rest/rest.ts";
import frame from "../../ui/rows.module.css";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import type { FactorChange } from "./factor-change.ts";
import { FactorDialog } from "./factor-dialog.tsx";
import { Row } from "./row.tsx";

addExplanations(signInTexts);

/** Between the sign-in and the console, where the role requires a second factor: to show it, or to add the first one. */
export function SecondFactorScreen({ session }: { session: SessionInfo }) {
  const { data, problem } = useRemote(() => rest("GET /me/factors"));
  const hasFactor = data !== null && (data.totp || data.passkeys.length > 0);
  const title = hasFactor ? messages.showFactor() : messages.addFactor();
  useTitle(title);
  const lead = hasFactor
    ? messages.showFactorText()
    : messages.addFactorText({ role: session.user.roleName });
  return (
    <SignInLayout title={title} lead={data ? lead : problem}>
      {data && (hasFactor ? <ShowFactor factors={data} /> : <AddFactor factors={data} />)}
      <Text size="sm" mt="xl" ta="center" c="dimmed">
        {messages.lead({ email: session.user.email })}{" "}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => void signOut().catch(toastProblem)}
        >
          {messages.signOut()}
        </Anchor>
      </Text>
    </SignInLayout>
  );
}

/** Who has just signed in types no password again; the dialog asks for it once that is some minutes ago. */
function AddFactor({ factors }: { factors: Factors }) {
  const [change, setChange] = useState<FactorChange | null>(null);
  const isPasskeyPossible = passkeysSupported();
  const close = () => {
    setChange(null);
    void loadAccount();
  };
  return (
    <>
      <ul className={frame.rows} aria-label={messages.secondFactors()}>
        {factors.password && (
          <Row Icon={IconDeviceMobileCode} name={messages.app()} about={messages.appOff()}>
            <Button size="xs" onClick={() => setChange({ kind: "addTotp", hasPassword: false })}>
              {messages.setUp()}
            </Button>
          </Row>
        )}
        <Row
          Icon={IconFingerprint}
          name={messages.passkey()}
          about={isPasskeyPossible ? messages.passkeyText() : messages.passkeyUnsupported()}
        >
          <Button
            size="xs"
            disabled={!isPasskeyPossible}
            onClick={() => setChange({ kind: "addPasskey", hasPassword: false })}
          >
            {messages.add()}
          </Button>
        </Row>
      </ul>
      <FactorDialog change={change} onClose={close} />
    </>
  );
}

function ShowFactor({ factors }: { factors: Factors }) {
  const hasPasskey = factors.passkeys.length > 0 && passkeysSupported();
  const send = async ({ code = "" }: Record<string, string>) => {
    await rest("POST /session/factor", { body: { code } });
    await loadAccount();
  };
  const completeByPasskey = async () => {
    if (await showPasskey()) await loadAccount();
  };
  return (
    <SubmitForm send={send} action={messages.continue()} button={{ size: "md" }}>
      {hasPasskey && (
        <Button
          variant="default"
          size="md"
          leftSection={<IconFingerprint size={18} stroke={1.6} />}
          onClick={() => void completeByPasskey().catch(toastProblem)}
        >
          {messages.confirmWithPasskey()}
        </Button>
      )}
      <TextInput
        name="code"
        label={factors.totp ? messages.codeOrRecovery() : messages.recoveryCode()}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        size="md"
        required
        autoFocus
      />
    </SubmitForm>
  );
}
