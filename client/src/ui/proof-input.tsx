import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import type { PasskeyResponse } from "../../../shared/protocol/account.ts";
import { meMessages as messages } from "../messages/en/me.ts";
import { useAccountData } from "../state/use-account.ts";
import { rest } from "../transport/rest/rest.ts";
import { Hint } from "./texts.ts";
import { toastProblem } from "./toast.tsx";
import { useRemote } from "./use-remote.ts";

/**
 * A proof of who the signed-in user is: their password, a passkey, or the provider of their company account. Loaded when a form asks for
 * it, which is rarely: forms are in the first load.
 */
export function ProofInput({ name }: { name: string }) {
  const { provider } = useAccountData().session;
  const { data: factors } = useRemote(() => rest("GET /me/factors"));
  const [isProven, setProven] = useState(false);
  if (!factors) return null;
  if (isProven) return <Text role="status">{messages.confirmed()}</Text>;
  const hasOther = factors.passkeys.length > 0 || provider !== undefined;
  return (
    <Stack gap="sm">
      {factors.password && (
        <PasswordInput
          name={name}
          label={messages.yourPassword()}
          visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
          autoComplete="current-password"
          autoFocus
          required={!hasOther}
        />
      )}
      {factors.passkeys.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} />}
          onClick={() => void proveByPasskey().then(setProven, toastProblem)}
        >
          {messages.confirmWithPasskey()}
        </Button>
      )}
      {provider && (
        <>
          <Button
            variant="default"
            leftSection={<IconBuilding size={16} />}
            onClick={() => void proveAt(provider.id).catch(toastProblem)}
          >
            {messages.confirmWith({ provider: provider.name })}
          </Button>
          <Hint>{messages.confirmWithText({ provider: provider.name })}</Hint>
        </>
      )}
    </Stack>
  );
}

/** Opens the provider beside the form, which keeps what was typed. The tab is opened at once: later, browsers refuse it. */
async function proveAt(provider: string): Promise<void> {
  const tab = open("", "_blank");
  try {
    const params = { provider };
    const { location } = await rest("POST /session/proof/{provider}", {
      params,
      body: { returnTo: "/me" },
    });
    if (tab) tab.location.href = location;
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** False if the user cancels. */
async function proveByPasskey(): Promise<boolean> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = await rest("POST /session/passkey-challenge");
  const made = await startAuthentication({ optionsJSON }).catch(() => null);
  if (!made) return false;
  const response = JSON.parse(JSON.stringify(made)) as PasskeyResponse;
  await rest("POST /session/proof", { body: { response } });
  return true;
}
