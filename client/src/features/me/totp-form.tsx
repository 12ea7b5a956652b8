import { Text, TextInput } from "@mantine/core";
import type { TotpSecret } from "../../../../shared/protocol/factors.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { QrCode } from "../../tiles/parts/qr-drawing.tsx";
import { rest } from "../../transport/rest/rest.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import classes from "./totp-form.module.css";

interface Props {
  secret: TotpSecret;
  onConfirmed: (recoveryCodes: string[] | null) => void;
}

/** The secret as a QR code and as text, and a first code as proof that the app has it. */
export function TotpForm({ secret, onConfirmed }: Props) {
  const send = async ({ code = "" }: Record<string, string>) =>
    onConfirmed((await rest("PUT /me/totp", { body: { code } })).recoveryCodes);
  return (
    <SubmitForm send={send} action={messages.confirm()}>
      <Text c="dimmed">{messages.scan()}</Text>
      <QrCode text={secret.uri} label={messages.qrCode()} className={classes.qr} />
      <code className={classes.key}>{secret.secret.match(/.{1,4}/g)?.join(" ")}</code>
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
