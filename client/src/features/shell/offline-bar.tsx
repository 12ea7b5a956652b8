import { Box, Button } from "@mantine/core";
import { IconAlertTriangle, IconCloudOff, IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { richText } from "../../messages/rich-text.tsx";
import type { ConnectionKind } from "../../state/connection-state.ts";
import { isBuildOutdated } from "../../transport/rest/build.ts";
import classes from "./offline-bar.module.css";
import { useConnectionFacts } from "./use-connection-facts.ts";

/** Bars above screens whose data may be out of date, or whose unsaved changes could be lost. */
export function OfflineBar() {
  const { phase, stored } = useConnectionFacts();
  const isOutdated = useIsOutdated(phase);
  return (
    <>
      {isOutdated && phase !== "updateRequired" && (
        <Bar icon={IconRefresh} text={messages.newerBuild()}>
          <ReloadButton />
        </Bar>
      )}
      {phase === "updateRequired" && <UpdateBar />}
      {phase === "offline" && <OutdatedBar />}
      {phase === "blocked" && <BlockedBar />}
      {!stored && (
        <Bar icon={IconAlertTriangle} text={messages.notStoredBar()} testId="not-stored-bar" />
      )}
    </>
  );
}

/** Says what happens to edits meanwhile. */
function OutdatedBar() {
  const { waiting, stored } = useConnectionFacts();
  const status =
    waiting > 0 ? messages.youAreOfflineWaiting({ count: waiting }) : messages.youAreOffline();
  const text = stored ? messages.offlineBar({ status }) : messages.offlineBarNotStored({ status });
  return <Bar icon={IconCloudOff} text={text} testId="offline-bar" />;
}

/** Names the cause to somebody who can't remove it, and what to pass on to whoever can. */
function BlockedBar() {
  const text = messages.blockedBar({ address: `${location.origin}/socket.io/` });
  return <Bar icon={IconCloudOff} text={text} testId="blocked-bar" />;
}

/** The server uses a newer protocol. Only a reload helps, and the user chooses when. */
function UpdateBar() {
  const { stored } = useConnectionFacts();
  return (
    <Bar icon={IconRefresh} text={stored ? messages.updateBar() : messages.updateBarNotStored()}>
      <ReloadButton />
    </Bar>
  );
}

function ReloadButton() {
  return (
    <Button size="compact-sm" onClick={() => location.reload()}>
      {messages.reload()}
    </Button>
  );
}

/** Whether the server was found to serve another build when the page came back to it. */
function useIsOutdated(phase: ConnectionKind): boolean {
  const [isOutdated, setOutdated] = useState(false);
  const wasLive = useRef(false);
  useEffect(() => {
    if (phase !== "live") return;
    if (wasLive.current) void isBuildOutdated().then(setOutdated);
    wasLive.current = true;
  }, [phase]);
  return isOutdated;
}

interface BarProps {
  icon: typeof IconRefresh;
  text: string;
  testId?: string;
  children?: ReactNode;
}

function Bar({ icon: Icon, text, testId, children }: BarProps) {
  return (
    <div className={classes.bar} role="status" data-testid={testId}>
      <Icon size={16} stroke={1.8} aria-hidden="true" />
      <Box component="span" flex="1">
        {richText(text, { b: (part) => <strong>{part}</strong> })}
      </Box>
      {children}
    </div>
  );
}
