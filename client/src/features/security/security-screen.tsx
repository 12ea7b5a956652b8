import { Button, NativeSelect } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type {
  SecurityEvent,
  SecurityEventGroup,
} from "../../../../shared/protocol/security-events.ts";
import { useUserUpdates } from "../../state/use-user-updates.ts";
import { type EventFilter, readSecurityEvents } from "../../sync/calls/security-events.ts";
import { listUsers } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { EventList } from "./event-list.tsx";
import classes from "./security.module.css";

/** What happens is told; where that fails, it shows within this time. */
const REFRESH_MS = 60_000;
const USERS_REFRESH_MS = 60_000;
const PAGE = 50;
const SHOWN_MAX = 200;

const groups: { value: SecurityEventGroup | ""; label: string }[] = [
  { value: "", label: "Everything" },
  { value: "signIns", label: "Sign-ins" },
  { value: "failures", label: "Failed attempts" },
  { value: "credentials", label: "Passwords and factors" },
  { value: "sessions", label: "Ended sessions" },
  { value: "people", label: "People" },
  { value: "roles", label: "Roles" },
  { value: "displays", label: "Displays" },
  { value: "model", label: "The model" },
  { value: "data", label: "Changes past the log" },
];

/** Who came in or tried to, and who changed what others may: live, the newest first. */
export function SecurityScreen() {
  useTitle("Security events");
  const [filter, setFilter] = useState<EventFilter>({ group: null, user: null });
  const [shown, setShown] = useState(PAGE);
  const { data, problem, reload } = useRemote(
    () => readSecurityEvents(filter, shown),
    REFRESH_MS,
    useUserUpdates(),
  );
  const lastRequest = useRef({ filter, shown });
  useEffect(() => {
    if (lastRequest.current.filter === filter && lastRequest.current.shown === shown) return;
    lastRequest.current = { filter, shown };
    reload();
  }, [filter, shown, reload]);
  const choose = (change: Partial<EventFilter>) => {
    setFilter((before) => ({ ...before, ...change }));
    setShown(PAGE);
  };
  return (
    <Page
      title="Security events"
      lead="Who came in or tried to, and who changed what others may do. New ones appear by themselves."
    >
      <FormProblem problem={problem} />
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
  const { data: users } = useRemote(listUsers, USERS_REFRESH_MS);
  const userOptions = (users ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={classes.filters}>
      <NativeSelect
        label="What"
        value={filter.group ?? ""}
        data={groups}
        onChange={(event) =>
          onChoose({ group: (event.currentTarget.value || null) as SecurityEventGroup | null })
        }
      />
      <NativeSelect
        label="By or about"
        value={filter.user ?? ""}
        data={[{ value: "", label: "Everybody" }, ...userOptions]}
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
    return (
      <Notice
        icon={<IconShieldCheck size={28} stroke={1.5} />}
        title="Nothing of the kind"
        text="As soon as something happens that this filter lets through, it is here."
      />
    );
  }
  return (
    <>
      <EventList events={items} />
      <p className={classes.count}>
        {formatCount(items.length)} of {formatCount(total)}
        {items.length < total && shown < SHOWN_MAX && (
          <Button variant="default" size="xs" onClick={() => onMore(shown + PAGE)}>
            Show older ones
          </Button>
        )}
        {items.length < total && shown >= SHOWN_MAX && (
          <span>For older ones choose what or who, or read them by the API.</span>
        )}
      </p>
    </>
  );
}
