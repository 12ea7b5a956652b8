import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";

import { useEffect } from "react";
import { useAtom } from "../../../state/use-atom.ts";
import { announce } from "../../../ui/announce.ts";
import type { Desk } from "../desk.ts";
import classes from "./toolbar.module.css";

/** Records that belong here wait behind this button until the person lets them in. */
export function WaitingButton({ desk }: { desk: Desk }) {
  const { waiting } = useAtom(desk.window.statusAtom);
  const words = `${waiting} new`;
  useEffect(() => {
    if (waiting > 0) announce(`${words}. They wait above the rows.`);
  }, [waiting, words]);
  if (waiting === 0) return null;
  return (
    <Button
      className={classes.waiting ?? ""}
      size="compact-sm"
      rightSection={<IconArrowUp size={14} aria-hidden="true" />}
      onClick={() => {
        desk.window.realign();
        desk.api.ensureIndexVisible(0, "top");
      }}
    >
      {words}
    </Button>
  );
}
