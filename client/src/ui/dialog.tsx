import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/**
 * A dialog that is there as long as it is open. It gives the focus back to what had it before, or to the button of the menu that it was
 * opened from. (Mantine's own does so only if it is closed before it goes.)
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  // Read before it is drawn, because the menu goes at the same time.
  const [before] = useState(focusedOrOpener);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) before?.focus({ preventScroll: true });
    },
    [before],
  );
  return <Modal {...props} opened />;
}

function focusedOrOpener(): HTMLElement | null {
  const focused = document.activeElement;
  const opener = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const found = opener ? document.getElementById(opener) : focused;
  return found instanceof HTMLElement ? found : null;
}
