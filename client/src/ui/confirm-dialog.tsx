import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { Dialog } from "./dialog.tsx";
import { DialogButtons } from "./dialog-buttons.tsx";
import { FormProblem } from "./form-problem.tsx";
import { problemText } from "./problem-text.ts";

interface Props {
  title: string;
  text: string;
  action: string;
  /** An error is shown in the dialog, which stays open. */
  run: () => Promise<void>;
  /** Another dialog follows, so that this one is not closed afterwards. */
  keepOpen?: boolean;
  onClose: () => void;
}

/** Asks for confirmation before an action that can't be undone. */
export function ConfirmDialog({ title, text, action, run, keepOpen, onClose }: Props) {
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
    <Dialog onClose={busy ? () => {} : onClose} title={title} size={440}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <Text c="dimmed">{text}</Text>
        <DialogButtons cancel={messages.cancel()} onCancel={onClose} focusCancel busy={busy}>
          <Button
            color={keepOpen ? undefined : "red"}
            loading={busy}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}
