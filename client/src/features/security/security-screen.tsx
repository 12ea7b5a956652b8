import { Button, Group, NativeSelect } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import type {
  SecurityEvent,
  SecurityEventGroup,
} from "../../../../shared/protocol/security-events.ts";
import { EventList } from "../../access/security-events/event-list.tsx";
import { securityMessages as messages } from "../../messages/en/security.ts";
import { type EventFilter, readSecurityEvents } from "../../sync/calls/security-events.ts";
import { listUsers } from "../../sync/calls/users.ts";
import classes from "../../ui/filters.module.css";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

const PAGE = 50;
const SHOWN_MAX = 200;

const groups: { value: SecurityEventGroup | ""; label: () => string }[] = [
  { value: "", label: messages.everything },
  { value: "signIns", label: messages.signIns },
  { value: "failures", label: messages.failures },
  { value: "credentials", label: messages.credentials },
  { value: "providers", label: messages.providers },
  { value: "sessions", label: messages.sessions },
  { value: "people", label: messages.users },
  { value: "roles", label: messages.roles },
  { value: "tokens", label: messages.tokens },
  { value: "displays", label: messages.displays },
  { value: "model", label: messages.model },
  { value: "data", label: messages.data },
];

/** Sign-ins, failed attempts and changes to access: live, newest first. */
export function SecurityScreen() {
  useTitle(messages.title());
  const [filter, setFilter] = useState<EventFilter>({ group: null, user: null });
  const [shown, setShown] = useState(PAGE);
  const { data, problem } = useRemote(() => readSecurityEvents(filter, shown), {
    on: ["people"],
    key: JSON.stringify([filter, shown]),
  });
  const choose = (change: Partial<EventFilter>) => {
    setFilter((before) => ({ ...before, ...change }));
    setShown(PAGE);
  };
  return (
    <Page title={messages.title()} lead={messages.lead()} problem={problem}>
      <Filters filter={filter} onChoose={choose} />
      {data ? (
        <Events items={data.items} total={data.total} shown={shown} onMore={setShown} />
      ) : (
        !problem && <ScreenSkeleton />
      )}
    </Page>
  );
}

function Filters(props: { filter: EventFilter; onChoose: (change: Partial<EventFilter>) => void }) {
  const { filter, onChoose } = props;
  const { data: users } = useRemote(listUsers, { on: ["people"] });
  const userOptions = (users ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={messages.event()}
        value={filter.group ?? ""}
        data={groups.map(({ value, label }) => ({ value, label: label() }))}
        onChange={(event) =>
          onChoose({ group: (event.currentTarget.value || null) as SecurityEventGroup | null })
        }
      />
      <NativeSelect
        label={messages.user()}
        value={filter.user ?? ""}
        data={[{ value: "", label: messages.everyone() }, ...userOptions]}
        onChange={(event) => onChoose({ user: event.currentTarget.value || null })}
      />
    </div>
  );
}

interface EventsProps {
  items: SecurityEvent[];
  total: number;
  shown: number;
  onMore: (shown: number) => void;
}

function Events({ items, total, shown, onMore }: EventsProps) {
  if (items.length === 0) {
    return <Notice icon={IconShieldCheck} title={messages.none()} text={messages.noneText()} />;
  }
  return (
    <>
      <EventList events={items} />
      <Group component="p" gap={12} c="dimmed" fz="sm">
        {messages.countOf({ shown: items.length, total })}
        {items.length < total && shown < SHOWN_MAX && (
          <Button variant="default" size="xs" onClick={() => onMore(shown + PAGE)}>
            {messages.showOlder()}
          </Button>
        )}
        {items.length < total && shown >= SHOWN_MAX && <span>{messages.olderByFilter()}</span>}
      </Group>
    </>
  );
}
