import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { passkeysSupported, signInByPasskey } from "../../sync/calls/passkey.ts";
import { signInProblem } from "./sign-in-problem.ts";

/** Signs in by a passkey; offered only where the browser and the address allow it. */
export function PasskeyButton({ onProblem }: { onProblem: (problem: string | null) => void }) {
  const [busy, setBusy] = useState(false);
  if (!passkeysSupported()) return null;
  const use = async () => {
    setBusy(true);
    onProblem(null);
    try {
      await signInByPasskey();
    } catch (error) {
      onProblem(passkeyProblem(error));
    }
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      loading={busy}
      leftSection={<IconFingerprint size={18} stroke={1.6} />}
      onClick={() => void use()}
    >
      {messages.withPasskey()}
    </Button>
  );
}

function passkeyProblem(error: unknown): string {
  const isUnknown = error instanceof Error && "code" in error && error.code === "unauthenticated";
  return isUnknown ? messages.passkeyUnknown() : signInProblem(error);
}
