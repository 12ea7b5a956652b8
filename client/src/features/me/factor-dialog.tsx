import {
  Button,
  CopyButton,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { TotpSecret } from "../../../../shared/protocol/account.ts";
import { describeAgent } from "../../access/describe-agent.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { addPasskey } from "../../sync/calls/passkey.ts";
import { QrCode } from "../../tiles/parts/qr-drawing.tsx";
import { rest } from "../../transport/rest/rest.ts";
import { noFill } from "../../ui/no-fill.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useIsMounted } from "../../ui/use-is-mounted.ts";
import type { FactorChange } from "./factor-change.ts";
import classes from "./recovery-code-list.module.css";
import totpFormStyles from "./totp-form.module.css";

const titles: Record<FactorChange["kind"], () => string> = {
  addTotp: messages.addAppTitle,
  removeTotp: messages.removeAppTitle,
  addPasskey: messages.addPasskeyTitle,
  removePasskey: messages.removePasskeyTitle,
  renewCodes: messages.newCodesTitle,
};

/** First the password, then what the change needs, then new recovery codes if there are any. */
type Step =
  | { at: "proof" }
  | { at: "totp"; secret: TotpSecret }
  | { at: "codes"; codes: string[]; areSaved: boolean };

interface Props {
  change: FactorChange | null;
  onClose: () => void;
}

export function FactorDialog({ change, onClose }: Props) {
  const [last, setLast] = useState<FactorChange | null>(null);
  const [step, setStep] = useState<Step>({ at: "proof" });
  if (change && change !== last) {
    setLast(change);
    setStep({ at: "proof" });
  }
  // Codes are shown once: a stray click must not close the dialog, and it opens again if it was closed before they came.
  const isDismissible = step.at !== "codes";
  const hasCodes = step.at === "codes" && !step.areSaved;
  return (
    <Modal
      opened={change !== null || hasCodes}
      onClose={onClose}
      title={step.at === "codes" ? messages.saveCodesTitle() : last ? titles[last.kind]() : ""}
      size={460}
      closeOnClickOutside={isDismissible}
      closeOnEscape={isDismissible}
      withCloseButton={isDismissible}
    >
      {last && (
        <StepBody
          key={JSON.stringify(last)}
          change={last}
          step={step}
          onStep={setStep}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface BodyProps {
  change: FactorChange;
  step: Step;
  onStep: (step: Step) => void;
  onClose: () => void;
}

function StepBody({ change, step, onStep, onClose }: BodyProps) {
  // An answer may come after the dialog was closed, and opened for another change.
  const isOpen = useIsMounted();
  const done = (message: string, codes: string[] | null = null) => {
    if (message) toast(message);
    if (codes && codes.length > 0) onStep({ at: "codes", codes, areSaved: false });
    else if (isOpen.current) onClose();
  };
  if (step.at === "codes") {
    const close = () => {
      onStep({ ...step, areSaved: true });
      onClose();
    };
    return <RecoveryCodeList codes={step.codes} onDone={close} />;
  }
  if (step.at === "totp") {
    return (
      <TotpForm secret={step.secret} onConfirmed={(codes) => done(messages.appAdded(), codes)} />
    );
  }
  const runChange = async (password: string, name: string) => {
    switch (change.kind) {
      case "addTotp": {
        const body = asksPassword(change) ? { password } : {};
        const secret = await rest("POST /me/totp", { body });
        if (isOpen.current) onStep({ at: "totp", secret });
        return;
      }
      case "removeTotp":
        await rest("DELETE /me/totp", { body: { password } });
        done(messages.appRemoved());
        return;
      case "addPasskey": {
        const added = await addPasskey(name, change.hasPassword ? password : undefined);
        if (added) done(messages.passkeyAdded({ name: added.name }), added.recoveryCodes);
        return;
      }
      case "removePasskey":
        await rest("DELETE /me/passkeys/{id}", {
          params: { id: change.id },
          body: change.hasPassword ? { password } : {},
        });
        done(messages.passkeyRemoved({ name: change.name }));
        return;
      case "renewCodes":
        done("", (await rest("POST /me/recovery-codes", { body: { password } })).recoveryCodes);
    }
  };
  return <PasswordConfirmForm change={change} onConfirmed={runChange} />;
}

/** Recovery codes, shown once: to copy or to save. */
function RecoveryCodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join("\n")}\n`;
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${messages.codesFile()}\n\n${text}`)}`;
  return (
    <Stack gap="md">
      <Text c="dimmed">{messages.codesText()}</Text>
      <ul className={classes.codes} aria-label={messages.recoveryCodes()}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? messages.copied() : messages.copy()}
              </Button>
            )}
          </CopyButton>
          <Button
            component="a"
            variant="default"
            href={file}
            download="watchfloor-recovery-codes.txt"
            leftSection={<IconDownload size={16} />}
          >
            {messages.save()}
          </Button>
        </Group>
        <Button onClick={onDone} data-autofocus>
          {messages.codesSaved()}
        </Button>
      </Group>
    </Stack>
  );
}

interface TotpFormProps {
  secret: TotpSecret;
  onConfirmed: (recoveryCodes: string[] | null) => void;
}

/** The secret as a QR code and as text, and a first code as proof that the app has it. */
function TotpForm({ secret, onConfirmed }: TotpFormProps) {
  const send = async ({ code = "" }: Record<string, string>) =>
    onConfirmed((await rest("PUT /me/totp", { body: { code } })).recoveryCodes);
  return (
    <SubmitForm send={send} action={messages.confirm()}>
      <Text c="dimmed">{messages.scan()}</Text>
      <QrCode text={secret.uri} label={messages.qrCode()} className={totpFormStyles.qr} />
      <code className={totpFormStyles.key}>{secret.secret.match(/.{1,4}/g)?.join(" ")}</code>
      <TextInput
        name="code"
        label={messages.appCode()}
        autoComplete="one-time-code"
        inputMode="numeric"
        placeholder="123456"
        required
        data-autofocus
      />
    </SubmitForm>
  );
}

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

const asksPassword = (change: FactorChange) => !("hasPassword" in change) || change.hasPassword;

interface PasswordConfirmFormProps {
  change: FactorChange;
  onConfirmed: (password: string, name: string) => Promise<void>;
}

/** Explains the change and asks for the password: an open session does not prove who uses it. */
function PasswordConfirmForm({ change, onConfirmed }: PasswordConfirmFormProps) {
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
          {...noFill}
          name="name"
          label={messages.passkeyName()}
          description={messages.passkeyNameText()}
          defaultValue={describeAgent(navigator.userAgent).label}
          maxLength={60}
          required
        />
      )}
      {asksPassword(change) && (
        <PasswordInput
          name="password"
          label={messages.yourPassword()}
          visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
          autoComplete="current-password"
          required
          data-autofocus
        />
      )}
    </SubmitForm>
  );
}
