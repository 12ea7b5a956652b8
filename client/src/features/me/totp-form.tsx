import { Text, TextInput } from "@mantine/core";
import { encode } from "uqr";
import type { TotpSecret } from "../../../../shared/protocol/factors.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
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
      <QrCode text={secret.uri} />
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

/** Dark on light in every theme, because not every scanner reads inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={messages.qrCode()}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
