import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { PasskeyResponse } from "../../../shared/protocol/account.ts";
import type { SessionInfo } from "../../../shared/protocol/session.ts";
import { meMessages as messages } from "../messages/en/me.ts";
import type { Account } from "../state/account.ts";
import { useAccount } from "../state/use-account.ts";
import { rest } from "../transport/rest/rest.ts";
import { addPasskeyAddress, isUnableToConfirm } from "./provider-proof.ts";
import { Hint } from "./texts.ts";
import { toastProblem } from "./toast.tsx";
import { useRemote } from "./use-remote.ts";

/**
 * A proof of who the signed-in user is: their password, a passkey, or the provider of their company account. A provider that does not ask
 * anew, or does not say when it has, is no proof: then the way to a passkey is shown, so that nobody is left without one. Loaded when a form
 * asks for it, which is rarely: forms are in the first load.
 */
export function ProofInput({ name }: { name: string }) {
  const account = useAccount();
  const provider = sessionOf(account)?.provider;
  const { data: factors } = useRemote(() => rest("GET /me/factors"), { on: ["account"] });
  const [isProven, setProven] = useState(false);
  const isUnable = useUnableProvider();
  if (!factors) return null;
  if (isProven) return <Text role="status">{messages.confirmed()}</Text>;
  const hasPasskey = factors.passkeys.length > 0;
  const confirms = provider?.confirms === true && !isUnable;
  return (
    <Stack gap="sm">
      <Text fw={600} role="status">
        {messages.confirmLead()}
      </Text>
      {factors.password && (
        <PasswordInput
          name={name}
          label={messages.yourPassword()}
          visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
          autoComplete="current-password"
          autoFocus
          required={!hasPasskey && !provider}
        />
      )}
      {hasPasskey && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} />}
          onClick={() => void proveByPasskey().then(setProven, toastProblem)}
        >
          {messages.confirmWithPasskey()}
        </Button>
      )}
      {provider && confirms && <ProviderProof provider={provider} />}
      {provider && !confirms && !hasPasskey && <WayToPasskey provider={provider} />}
    </Stack>
  );
}

type Provider = NonNullable<SessionInfo["provider"]>;

function ProviderProof({ provider: { id, name } }: { provider: Provider }) {
  const [blocked, setBlocked] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBuilding size={16} />}
        onClick={() => void proveAt(id).then(setBlocked, toastProblem)}
      >
        {messages.confirmWith({ provider: name })}
      </Button>
      {blocked === null ? (
        <Hint>{messages.confirmWithText({ provider: name })}</Hint>
      ) : (
        <Text size="sm" role="status">
          {messages.confirmBlocked()}{" "}
          <Anchor href={blocked} target="_blank" rel="noopener" size="sm" underline="always">
            {messages.confirmOpen({ provider: name })}
          </Anchor>
        </Text>
      )}
    </>
  );
}

/** Who has just signed in may add a passkey. In another tab, so that the form keeps what was typed; it continues there by itself. */
function WayToPasskey({ provider: { id, name } }: { provider: Provider }) {
  return (
    <>
      <Text size="sm" role="status">
        {messages.confirmNot({ provider: name })}
      </Text>
      <Button
        component="a"
        href={addPasskeyAddress(id)}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<IconFingerprint size={16} />}
      >
        {messages.confirmAddPasskey()}
      </Button>
      <Hint>{messages.confirmAddText()}</Hint>
    </>
  );
}

/** Whether the provider has just failed to confirm, in the tab that this page has opened. */
function useUnableProvider(): boolean {
  const [isUnable, setUnable] = useState(false);
  useEffect(() => {
    const look = () =>
      void rest("GET /sign-in-methods").then(
        ({ problem }) => isUnableToConfirm(problem) && setUnable(true),
        () => undefined,
      );
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return isUnable;
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
