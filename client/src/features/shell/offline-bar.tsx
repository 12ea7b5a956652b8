import { Button } from "@mantine/core";
import { IconCloudOff, IconRefresh } from "@tabler/icons-react";
import { editCountLabel } from "./connection-view.ts";
import classes from "./offline-bar.module.css";
import { useConnectionFacts } from "./use-connection-facts.ts";

/** The bar over a screen that may be old: says so, and what becomes of edits made meanwhile. */
export function OfflineBar() {
  const { phase, waiting } = useConnectionFacts();
  if (phase === "updateRequired") return <UpdateBar />;
  if (phase !== "offline") return null;
  return (
    <div className={classes.bar} role="status" data-testid="offline-bar">
      <IconCloudOff size={16} stroke={1.8} aria-hidden="true" />
      <span className={classes.words}>
        <strong>You are offline{waiting > 0 ? `, ${editCountLabel(waiting)} waiting` : ""}.</strong>{" "}
        What you see may be old. Go on working: edits are kept here and sent when the server is
        back.
      </span>
    </div>
  );
}

/** The server speaks a newer protocol: only a reload helps, and it is the person who chooses when. */
function UpdateBar() {
  return (
    <div className={classes.bar} role="status">
      <IconRefresh size={16} stroke={1.8} aria-hidden="true" />
      <span className={classes.words}>
        <strong>The server was upgraded.</strong> Reload to go on. Edits that wait are kept.
      </span>
      <Button size="compact-sm" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
