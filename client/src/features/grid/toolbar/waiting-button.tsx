import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";

import { useEffect } from "react";
import { useAtom } from "../../../state/use-atom.ts";
import { announce } from "../../../ui/announce.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./toolbar.module.css";

/** Records that belong here wait behind this button until the person lets them in. */
export function WaitingButton({ grid }: { grid: GridController }) {
  const { waiting } = useAtom(grid.window.statusAtom);
  const label = `${waiting} new`;
  useEffect(() => {
    if (waiting > 0) announce(`${label}. They wait above the rows.`);
  }, [waiting, label]);
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
