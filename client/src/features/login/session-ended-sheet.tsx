import { Anchor, Modal, Text } from "@mantine/core";
import { signOut } from "../../sync/calls/account.ts";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * Over the page of a session that ended: the same person signs in again and finds everything as it
 * was, edits that wait included. Somebody else starts afresh.
 */
export function SessionEndedSheet({ email }: { email: string }) {
  const leave = () => void signOut().catch(() => location.assign("/login"));
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size={400}
      padding="xl"
      title="Your session has ended"
    >
      <Text c="dimmed" size="md" mb="lg">
        Sign in again to go on where you were. Nothing on this page is lost, and edits that wait
        will be sent.
      </Text>
      <SignInForm email={email} />
      <Text size="sm" mt="lg" ta="center">
        <Anchor component="button" type="button" size="sm" onClick={leave}>
          Sign in as somebody else
        </Anchor>
      </Text>
    </Modal>
  );
}
