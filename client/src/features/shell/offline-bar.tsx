import { Button } from "@mantine/core";
import { IconCloudOff, IconRefresh } from "@tabler/icons-react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { richText } from "../../messages/rich-text.tsx";
import classes from "./offline-bar.module.css";
import { useConnectionFacts } from "./use-connection-facts.ts";

/** A bar above screens whose data may be out of date. It says what happens to edits meanwhile. */
export function OfflineBar() {
  const { phase, waiting } = useConnectionFacts();
  if (phase === "updateRequired") return <UpdateBar />;
  if (phase !== "offline") return null;
  const status =
    waiting > 0 ? messages.youAreOfflineWaiting({ count: waiting }) : messages.youAreOffline();
  return (
    <div className={classes.bar} role="status" data-testid="offline-bar">
      <IconCloudOff size={16} stroke={1.8} aria-hidden="true" />
      <span className={classes.text}>
        {richText(messages.offlineBar({ status }), { b: (text) => <strong>{text}</strong> })}
      </span>
    </div>
  );
}

/** The server uses a newer protocol. Only a reload helps, and the user chooses when. */
function UpdateBar() {
  return (
    <div className={classes.bar} role="status">
      <IconRefresh size={16} stroke={1.8} aria-hidden="true" />
      <span className={classes.text}>
        {richText(messages.updateBar(), { b: (text) => <strong>{text}</strong> })}
      </span>
      <Button size="compact-sm" onClick={() => location.reload()}>
        {messages.reload()}
      </Button>
    </div>
  );
}
