import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { Notice } from "./notice.tsx";
import { ScreenSkeleton } from "./screen-skeleton.tsx";
import type { Remote } from "./use-remote.ts";

/** What a screen shows before its data arrive: that they are loading, or why they could not be loaded. */
export function Unloaded({ problem, reload }: Pick<Remote<unknown>, "problem" | "reload">) {
  if (!problem) return <ScreenSkeleton />;
  return (
    <Notice icon={IconCloudOff} title={messages.notLoaded()} text={problem}>
      <Button onClick={reload}>{messages.tryAgain()}</Button>
    </Notice>
  );
}
