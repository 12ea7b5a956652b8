import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogButtons } from "./dialog-buttons.tsx";
import { FormProblem } from "./form-problem.tsx";
import { useAction } from "./use-action.ts";

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
  /** What is decided with it, below the text. */
  children?: ReactNode;
}

/** Asks for confirmation before an action that can't be undone. */
export function ConfirmDialog(props: Props) {
  const { title, text, action, cancel, run, keepOpen, onClose, children } = props;
  const { isBusy, problem, run: start } = useAction();
  const confirm = async () => {
    await run();
    if (!keepOpen) onClose();
  };
  return (
    // A failure is shown here, so that the dialog stays until the action has ended.
    <Dialog onClose={isBusy ? () => {} : onClose} title={title} size={440}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <Text c="dimmed">{text}</Text>
        {children}
        <DialogButtons cancel={cancel} onCancel={onClose} focusCancel busy={isBusy}>
          <Button
            color={keepOpen ? undefined : "red"}
            loading={isBusy}
            onClick={() => void start(confirm)}
          >
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}
