import { Button } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { notFoundMessages as messages } from "../../messages/en/not-found.ts";
import { richText } from "../../messages/rich-text.tsx";
import { decodePart } from "../../ui/address-router.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Shown for an address that does not exist and for one that the user must not learn about. */
export function NotFoundScreen() {
  const [path] = useLocation();
  useTitle(messages.notFound());
  return (
    <Notice
      icon={IconMapOff}
      title={messages.nothingHere()}
      text={richText(messages.nothingHereText({ path: decodePart(path) ?? path }), {
        code: (content) => <code>{content}</code>,
      })}
    >
      <Button component={Link} href="/" variant="default">
        {messages.back()}
      </Button>
    </Notice>
  );
}
