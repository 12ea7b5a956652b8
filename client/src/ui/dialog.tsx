import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** For each open dialog, what it gives the focus back to. */
const openDialogs = new Set<readonly HTMLElement[]>();

/**
 * A dialog that is there as long as it is open. It gives the focus back to what had it before, or to the button of the menu that it was
 * opened from; if that was in a dialog that has closed meanwhile, to what had it before that one. (Mantine's own does so only if it is
 * closed before it goes.)
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  // Read before it is drawn, because the menu goes at the same time.
  const [before] = useState(() => [...focusedOrOpener(), ...([...openDialogs].at(-1) ?? [])]);
  useEffect(() => {
    openDialogs.add(before);
    return () => {
      openDialogs.delete(before);
      if (document.activeElement !== document.body) return;
      before.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
    };
  }, [before]);
  return <Modal {...props} opened />;
}

function focusedOrOpener(): HTMLElement[] {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const found = opener ? document.getElementById(opener) : focused;
  return found instanceof HTMLElement && found !== document.body ? [found] : [];
}
