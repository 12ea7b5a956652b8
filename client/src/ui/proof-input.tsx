import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import type { PasskeyResponse } from "../../../shared/protocol/account.ts";
import type { SessionInfo } from "../../../shared/protocol/session.ts";
import { meMessages as messages } from "../messages/en/me.ts";
import type { Account } from "../state/account.ts";
import { useAccount } from "../state/use-account.ts";
import { rest } from "../transport/rest/rest.ts";
import { Hint } from "./texts.ts";
import { toastProblem } from "./toast.tsx";
import { useRemote } from "./use-remote.ts";

/**
 * A proof of who the signed-in user is: their password, a passkey, or the provider of their company account. Loaded when a form asks for
 * it, which is rarely: forms are in the first load.
 */
export function ProofInput({ name }: { name: string }) {
  const account = useAccount();
  const provider = sessionOf(account)?.provider;
  const { data: factors } = useRemote(() => rest("GET /me/factors"));
  const [isProven, setProven] = useState(false);
  const [blocked, setBlocked] = useState<string | null>(null);
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
            onClick={() => void proveAt(provider.id).then(setBlocked, toastProblem)}
          >
            {messages.confirmWith({ provider: provider.name })}
          </Button>
          {blocked === null ? (
            <Hint>{messages.confirmWithText({ provider: provider.name })}</Hint>
          ) : (
            <Text size="sm" role="status">
              {messages.confirmBlocked()}{" "}
              <Anchor href={blocked} target="_blank" rel="noopener" size="sm" underline="always">
                {messages.confirmOpen({ provider: provider.name })}
              </Anchor>
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

function sessionOf(account: Account): SessionInfo | null {
  if (account.kind === "lacksFactor") return account.session;
  return "data" in account ? account.data.session : null;
}

/**
 * Opens the provider beside the form, which keeps what was typed. The tab is opened at once: later, browsers refuse it. Returns the address
 * where the browser has refused even that.
 */
async function proveAt(provider: string): Promise<string | null> {
  const tab = open("", "_blank");
  try {
    const params = { provider };
    const { location } = await rest("POST /session/proof/{provider}", {
      params,
      body: { returnTo: "/me" },
    });
    if (!tab) return location;
    // What the provider shows must not lead this page elsewhere.
    tab.opener = null;
    tab.location.href = location;
    return null;
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
