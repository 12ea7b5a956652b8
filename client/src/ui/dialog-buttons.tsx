import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";

interface Props {
  /** The text of the button that changes nothing. */
  cancel?: string | undefined;
  onCancel(): void;
  /** Gives that button the focus, where the other can't be undone. */
  focusCancel?: boolean;
  /** The action runs: it can't be cancelled any more. */
  busy?: boolean;
  /** The button of what the dialog is for. */
  children: ReactNode;
}

/** The buttons at the end of a dialog or a form. */
export function DialogButtons(props: Props) {
  const { cancel = messages.cancel(), onCancel, focusCancel, busy, children } = props;
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus={focusCancel}>
        {cancel}
      </Button>
      {children}
    </Group>
  );
}
