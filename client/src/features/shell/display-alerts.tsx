import { useEffect } from "react";
import { displayUpdateAtom } from "../../state/display-updates.ts";
import { useAtom } from "../../state/use-atom.ts";
import { toast, toastFailure } from "../../ui/toast.tsx";

/** Tells whoever manages displays, on whatever screen they are, that one went dark or is back. */
export function DisplayAlerts() {
  const update = useAtom(displayUpdateAtom);
  useEffect(() => {
    if (!update) return;
    const { name, status } = update;
    if (status === "offline") {
      toastFailure(`The display “${name}” went dark. It was not heard for half a minute.`);
    } else toast(`The display “${name}” is back.`);
  }, [update]);
  return null;
}
