import { Button } from "@mantine/core";
import { hideNotification, showNotification } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { announce } from "./announce.ts";
import { isSessionEnd, problemText } from "./problem-text.ts";

/** With something to undo, a toast stays long enough to be read, understood and reached. */
const TOAST_MS = 5_000;
const TOAST_WITH_UNDO_MS = 10_000;

let count = 0;

/** Says that something was done, for a moment; `undo` adds the way back. */
export function toast(message: string, undo?: () => void): void {
  const id = `toast-${++count}`;
  announce(undo ? `${message} Undo is offered.` : message);
  showNotification({
    id,
    message: undo ? withUndo(message, id, undo) : message,
    icon: <IconCheck size={16} aria-hidden="true" />,
    color: "petrol",
    role: "presentation",
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
    autoClose: undo ? TOAST_WITH_UNDO_MS : TOAST_MS,
  });
}

/** Says that something did not work and why; stays until it is put away. */
export function toastFailure(message: string): void {
  announce(message, "assertive");
  showNotification({
    message,
    icon: <IconAlertTriangle size={16} aria-hidden="true" />,
    color: "red",
    role: "presentation",
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
    autoClose: false,
  });
}

/** Says what an unexpected failure was. A session that ended has its own sheet and needs no toast. */
export function toastProblem(error: unknown): void {
  if (!isSessionEnd(error)) toastFailure(problemText(error));
}

function withUndo(message: string, id: string, undo: () => void) {
  const run = () => {
    hideNotification(id);
    undo();
  };
  return (
    <span
      style={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 12 }}
    >
      {message}
      <Button variant="subtle" size="compact-sm" onClick={run}>
        Undo
      </Button>
    </span>
  );
}
