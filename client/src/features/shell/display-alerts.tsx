import { useEffect } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { displayUpdateAtom } from "../../state/display-updates.ts";
import { useAtom } from "../../state/use-atom.ts";
import { toast, toastFailure } from "../../ui/toast.tsx";

/** Notifies users who manage displays, on any screen, that a display went offline or came back. */
export function DisplayAlerts() {
  const update = useAtom(displayUpdateAtom);
  useEffect(() => {
    if (!update) return;
    const { name, status } = update;
    if (status === "offline") {
      toastFailure(messages.displayOffline({ name }));
    } else toast(messages.displayOnline({ name }));
  }, [update]);
  return null;
}
