import { ActionIcon } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { InboxItem } from "../../../../shared/protocol/inbox.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { shownThreadAtom } from "../../state/shown-thread.ts";
import { store } from "../../state/store.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ButtonTooltip } from "../../ui/button-tooltip.tsx";
import { CountMark } from "../../ui/count-mark.ts";
import { toast } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";

/** Leads to the inbox, with how much of it is unread. */
export function InboxButton() {
  const read = () => rest("GET /inbox", { query: { unread: "1", limit: 1 } });
  const { data } = useRemote(read, { on: ["inbox"] });
  const unread = data?.unread ?? 0;
  useNewest(data ? (data.items[0] ?? null) : undefined);
  return (
    <ButtonTooltip label={messages.inbox()}>
      <ActionIcon
        component={Link}
        href="/inbox"
        size={28}
        pos="relative"
        style={{ overflow: "visible" }}
        aria-label={unread === 0 ? messages.inbox() : messages.inboxUnread({ unread })}
      >
        <IconBell size={18} stroke={1.7} aria-hidden="true" />
        {unread !== 0 && (
          <CountMark pos="absolute" top={-1} right={-3} miw={15} lh="15px" aria-hidden="true">
            {unread}
          </CountMark>
        )}
      </ActionIcon>
    </ButtonTooltip>
  );
}

/** Announces what arrives while the page is open. Null: nothing is unread; undefined: not known yet. */
function useNewest(newest: InboxItem | null | undefined): void {
  const known = useRef<string | null>(null);
  useEffect(() => {
    if (newest === undefined || newest === null) {
      if (newest === null) known.current ??= "";
      return;
    }
    const isNew = known.current !== null && newest.at > known.current;
    known.current = newest.at > (known.current ?? "") ? newest.at : known.current;
    // Where the comments of the record are open, a new one is in view, and a toast would cover the input below it.
    const shown = store.get(shownThreadAtom);
    const isShown = shown?.table === newest.table && shown?.record === newest.record;
    if (isNew && newest.cause !== "watch" && !isShown) toast(newest.text);
  }, [newest]);
}
