import { Button } from "@mantine/core";
import { randomId } from "@mantine/hooks";
import {
  hideNotification,
  type NotificationData,
  notificationsStore,
  showNotification,
  updateNotification,
} from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { announce } from "./announce.ts";
import { isSessionEnd, problemText } from "./problem-text.ts";

/** A toast with an undo button stays longer, so that it can be read and reached. */
const TOAST_MS = 5_000;
const TOAST_WITH_UNDO_MS = 10_000;

const failureLook = {
  icon: <IconAlertTriangle size={16} aria-hidden="true" />,
  color: "red",
};

/** A toast on the screen. */
export interface Toast {
  close(): void;
}

/** Confirms an action for a few seconds; `undo` adds a button that reverts it, or by another label leads on. */
export function toast(message: string, undo?: () => void, label?: string): void {
  show(message, "polite", {
    ...(undo && { undo }),
    ...(label !== undefined && { label }),
    icon: <IconCheck size={16} aria-hidden="true" />,
    color: "petrol",
    autoClose: undo ? TOAST_WITH_UNDO_MS : TOAST_MS,
  });
}

/** Says that something failed, and why. Stays until it is closed. `undo` adds a button that reverts what did not fail. */
export function toastFailure(message: string, undo?: () => void): Toast {
  return show(message, "assertive", {
    ...(undo && { undo }),
    ...failureLook,
  });
}

/** Says that something failed which may fail again soon. One toast for each `id`: it shows the latest message, which is announced each time. */
export function toastRecurringFailure(id: string, message: string): void {
  const { notifications, queue } = notificationsStore.getState();
  const shown = [...notifications, ...queue].find((one) => one.id === id);
  if (shown?.message === message) {
    announce(message, "assertive");
    return;
  }
  if (shown) hideNotification(id);
  show(message, "assertive", { id, ...failureLook });
}

/** Shows that something is under way, until it is closed. Screen readers announce its first message only. */
export function toastProgress(message: string): Toast & { update(message: string): void } {
  const id = randomId();
  const shown = show(message, "polite", { id, loading: true, withCloseButton: false });
  return { ...shown, update: (next) => void updateNotification({ id, message: next }) };
}

/** Shows an error. A session that has ended has its own dialog and needs no toast. */
export function toastProblem(error: unknown): void {
  if (!isSessionEnd(error)) toastFailure(problemText(error));
}

/** Shows a toast, for screen readers too. Stays until it is closed, unless `autoClose` is given. */
function show(
  message: string,
  urgency: "polite" | "assertive",
  {
    undo,
    label,
    id = randomId(),
    ...look
  }: Omit<NotificationData, "message"> & { undo?: () => void; label?: string },
): Toast {
  announce(undo && label === undefined ? messages.undoOffered({ message }) : message, urgency);
  makeSpace();
  showNotification({
    id,
    message: undo ? withUndo(message, id, undo, label) : message,
    role: "presentation",
    withBorder: true,
    closeButtonProps: { "aria-label": messages.close() },
    autoClose: false,
    ...look,
  });
  return { close: () => void hideNotification(id) };
}

/**
 * As many toasts are shown as there is space for, the newest among them: a further one would wait unseen behind them, and say what has long passed.
 * The oldest that would have closed by itself is closed; if all stay until they are closed, the oldest failure waits until another one is.
 */
function makeSpace(): void {
  const { notifications, limit } = notificationsStore.getState();
  if (notifications.length < limit) return;
  const passing = notifications.find(({ autoClose }) => autoClose !== false);
  const failure = notifications.find(({ loading }) => !loading);
  if (passing?.id) hideNotification(passing.id);
  else if (failure?.id) updateNotification({ ...failure, id: failure.id, priority: -1 });
}

function withUndo(message: string, id: string, undo: () => void, label = messages.undo()) {
  const run = () => {
    hideNotification(id);
    undo();
  };
  return (
    <span
      style={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 12 }}
    >
      {message}
      <Button flex="none" variant="subtle" size="compact-sm" onClick={run}>
        {label}
      </Button>
    </span>
  );
}
