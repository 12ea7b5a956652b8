import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useSignOutPhase } from "../../state/use-account.ts";
import { useEditCounts } from "../../state/use-connection.ts";
import { signOut } from "../../sync/calls/account.ts";
import { toastFailure } from "../../ui/toast.tsx";
import { editCountLabel } from "./connection-view.ts";

/** Asks before edits that wait are left behind, and does the leaving. */
export function SignOutSheet() {
  const [phase, setPhase] = useSignOutPhase();
  const { waiting } = useEditCounts();
  useEffect(() => {
    if (phase !== "going") return;
    signOut().catch(() => {
      setPhase("no");
      toastFailure("You are still signed in: the server can't be reached.");
    });
  }, [phase, setPhase]);
  return (
    <Modal
      opened={phase === "asked"}
      onClose={() => setPhase("no")}
      title={`${editCountLabel(waiting)} of yours ${waiting === 1 ? "waits" : "wait"} to be sent`}
      size={420}
    >
      <Text mb="lg">
        If you sign out now, they stay in this browser and are sent when you sign in here again.
        Nobody else sees them until then.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => setPhase("no")}>
          Stay
        </Button>
        <Button onClick={() => setPhase("going")}>Sign out anyway</Button>
      </Group>
    </Modal>
  );
}
