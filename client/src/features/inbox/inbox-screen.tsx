import { Button, SegmentedControl, Text } from "@mantine/core";
import {
  IconAt,
  IconBell,
  IconChecks,
  IconEye,
  IconFileDiff,
  IconSettings,
  IconUserCheck,
} from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { InboxItem } from "../../../../shared/protocol/inbox.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { inboxMessages as messages } from "../../messages/en/inbox.ts";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { commentsAddress } from "../../records/comments/comment-place.ts";
import { trailState } from "../../records/record-trail.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { Tag } from "../../ui/tag.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import classes from "./inbox.module.css";

const LISTED = 100;
type Shown = "unread" | "all";

const icons = {
  mention: IconAt,
  assignment: IconUserCheck,
  watch: IconEye,
  changeSet: IconFileDiff,
} as const;
const labels = {
  mention: messages.mention,
  assignment: messages.assignment,
  watch: messages.watch,
  changeSet: messages.changeSet,
} as const;

/** What the user is notified of, newest first. */
export function InboxScreen() {
  useTitle(messages.title());
  const [shown, setShown] = useState<Shown>("all");
  const query = { limit: LISTED, ...(shown === "unread" && { unread: "1" as const }) };
  const { data, problem } = useRemote(() => rest("GET /inbox", { query }), {
    on: ["inbox"],
    key: shown,
  });
  const readAll = () =>
    rest("POST /inbox/read", { body: { all: true } }).then(
      () => toast(messages.allRead()),
      toastProblem,
    );
  return (
    <Page
      narrow
      title={messages.title()}
      lead={messages.lead()}
      problem={problem}
      actions={
        <Button
          component={Link}
          href="/me"
          variant="default"
          leftSection={<IconSettings size={16} stroke={1.7} />}
        >
          {messages.preferences()}
        </Button>
      }
    >
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={messages.shown()}
          data={[
            { value: "all", label: messages.all() },
            { value: "unread", label: messages.unread() },
          ]}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
        <Button
          variant="subtle"
          leftSection={<IconChecks size={16} stroke={1.7} />}
          disabled={!data || data.unread === 0}
          onClick={() => void readAll()}
        >
          {messages.markAllRead()}
        </Button>
      </div>
      {data ? (
        <Entries items={data.items} isAll={shown === "all"} total={data.total} />
      ) : (
        !problem && <ScreenSkeleton />
      )}
    </Page>
  );
}

interface EntriesProps {
  items: readonly InboxItem[];
  isAll: boolean;
  total: number | "99+";
}

function Entries({ items, isAll, total }: EntriesProps) {
  if (items.length === 0) {
    const title = isAll ? messages.noneEver() : messages.none();
    return <Notice icon={IconBell} title={title} text={messages.noneText()} />;
  }
  const places = items.flatMap(({ table, record }) => (table === null ? [] : [{ table, record }]));
  const isPart = total === "99+" || total > items.length;
  return (
    <>
      <ul className={classes.list} aria-label={messages.title()}>
        {items.map((item) => (
          <Entry key={item.id} item={item} trail={trailState(places)} />
        ))}
      </ul>
      {isPart && (
        <Text mt={12} fz="sm" c="dimmed">
          {messages.first({ count: items.length, total })}
        </Text>
      )}
    </>
  );
}

function Entry({ item, trail }: { item: InboxItem; trail: ReturnType<typeof trailState> }) {
  const { id, cause, table, record, text, at, read } = item;
  const Shape = icons[cause];
  const addressOf = cause === "mention" ? commentsAddress : recordAddress;
  const href = table === null ? changeSetAddress(record) : addressOf(table, record);
  // The panel reads all entries of its record; a change set has no panel.
  const onOpen = () => {
    if (table === null && !read)
      void rest("POST /inbox/read", { body: { ids: [id] } }).catch(toastProblem);
  };
  return (
    <li className={classes.entry} data-unread={!read || undefined}>
      <Shape size={18} stroke={1.7} aria-hidden="true" />
      <div className={classes.body}>
        <Link href={href} state={trail} className={classes.text} dir="auto" onClick={onOpen}>
          {text}
        </Link>
        <p className={classes.about}>
          {labels[cause]()} · <Ago at={at} />
          {!read && (
            <Tag tone="good" ms={8}>
              {messages.new()}
            </Tag>
          )}
        </p>
      </div>
    </li>
  );
}
