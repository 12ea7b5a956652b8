import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { useSignOutPhase } from "../../state/use-account.ts";
import { useEditCounts } from "../../state/use-connection.ts";
import { signOut } from "../../sync/calls/account.ts";
import { toastFailure } from "../../ui/toast.tsx";

/** Signs out, after a confirmation if edits have not been sent. */
export function SignOutSheet() {
  const [phase, setPhase] = useSignOutPhase();
  const { waiting } = useEditCounts();
  useEffect(() => {
    if (phase !== "going") return;
    signOut().catch(() => {
      setPhase("no");
      toastFailure(messages.signOutFailed());
    });
  }, [phase, setPhase]);
  return (
    <Modal
      opened={phase === "asked"}
      onClose={() => setPhase("no")}
      title={messages.signOutTitle({ count: waiting })}
      size={420}
    >
      <Text mb="lg">{messages.signOutText()}</Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => setPhase("no")}>
          {messages.cancel()}
        </Button>
        <Button onClick={() => setPhase("going")}>{messages.signOutAnyway()}</Button>
      </Group>
    </Modal>
  );
}
