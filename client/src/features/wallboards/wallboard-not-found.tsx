import { Button } from "@mantine/core";
import { IconDeviceTv } from "@tabler/icons-react";
import { Link } from "wouter";
import { wallboardsMessages as messages } from "../../messages/en/wallboards.ts";
import { Notice } from "../../ui/notice.tsx";

/** Shown if a wallboard does not exist or may not be viewed; `text` gives possible reasons. */
export function WallboardNotFound({ text }: { text: string }) {
  return (
    <Notice icon={IconDeviceTv} title={messages.notFound()} text={text}>
      <Button component={Link} href="/wallboards">
        {messages.allWallboards()}
      </Button>
    </Notice>
  );
}
