import { Button, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DialogButtons } from "./dialog-buttons.tsx";
import { FormProblem } from "./form-problem.tsx";
import { problemText } from "./problem-text.ts";

interface Props {
  title: string;
  text: string;
  action: string;
  /** The text of the button that changes nothing. */
  cancel?: string;
  /** An error is shown in the dialog, which stays open. */
  run: () => Promise<void>;
  /** Another dialog follows, so that this one is not closed afterwards. */
  keepOpen?: boolean;
  onClose: () => void;
}

/** Asks for confirmation before an action that can't be undone. */
export function ConfirmDialog(props: Props) {
  const { title, text, action, cancel, run, keepOpen, onClose } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await run();
      if (!keepOpen) onClose();
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };
  return (
    // A failure is shown here, so that the dialog stays until the action has ended.
    <Modal opened onClose={busy ? () => {} : onClose} title={title} size={440}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <Text c="dimmed">{text}</Text>
        <DialogButtons cancel={cancel} onCancel={onClose} focusCancel busy={busy}>
          <Button
            color={keepOpen ? undefined : "red"}
            loading={busy}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}
