import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useEffect } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { announce } from "../../../ui/announce.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./toolbar.module.css";

/** Shows how many new records match the view, and inserts them when clicked. */
export function WaitingButton({ grid }: { grid: GridController }) {
  const { waiting } = useAtom(grid.window.statusAtom);
  const label = messages.waiting({ count: waiting });
  useEffect(() => {
    if (waiting > 0) announce(messages.waitingAnnounced({ count: waiting }));
  }, [waiting]);
  if (waiting === 0) return null;
  return (
    <Button
      className={classes.waiting ?? ""}
      size="compact-sm"
      rightSection={<IconArrowUp size={14} aria-hidden="true" />}
      onClick={() => {
        grid.window.realign();
        grid.api.ensureIndexVisible(0, "top");
      }}
    >
      {label}
    </Button>
  );
}
