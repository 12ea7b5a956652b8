import { Button, Group, Modal, Text } from "@mantine/core";
import { useEffect } from "react";
import { useLeaving } from "../../state/use-account.ts";
import { useEditCounts } from "../../state/use-connection.ts";
import { signOut } from "../../sync/calls/account.ts";
import { toastFailure } from "../../ui/toast.tsx";
import { edits } from "./connection-view.ts";

/** Asks before edits that wait are left behind, and does the leaving. */
export function SignOutSheet() {
  const [leaving, setLeaving] = useLeaving();
  const { waiting } = useEditCounts();
  useEffect(() => {
    if (leaving !== "going") return;
    signOut().catch(() => {
      setLeaving("no");
      toastFailure("You are still signed in: the server can't be reached.");
    });
  }, [leaving, setLeaving]);
  return (
    <Modal
      opened={leaving === "asked"}
      onClose={() => setLeaving("no")}
      title={`${edits(waiting)} of yours ${waiting === 1 ? "waits" : "wait"} to be sent`}
      size={420}
    >
      <Text mb="lg">
        If you sign out now, they stay in this browser and are sent when you sign in here again.
        Nobody else sees them until then.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => setLeaving("no")}>
          Stay
        </Button>
        <Button onClick={() => setLeaving("going")}>Sign out anyway</Button>
      </Group>
    </Modal>
  );
}
