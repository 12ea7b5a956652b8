import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { ownZone } from "../../../../shared/filter/zone.ts";
import { HOME_WALLBOARD } from "../../../../shared/model/wallboard/home-wallboard.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { dayZone } from "../../state/day-zone.ts";
import { useAccountData } from "../../state/use-account.ts";
import { wallboardAtom } from "../../state/wallboard-state.ts";
import { readActivity } from "../../sync/calls/activity.ts";
import { followTables } from "../../sync/page/follow-tables.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { ServerClock } from "../../tiles/server-clock.tsx";
import { useAge, useFreshness } from "../../tiles/use-freshness.ts";
import { Callout } from "../../ui/callout.tsx";
import { Page } from "../../ui/page.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { zoneText } from "../../ui/zone-text.ts";
import { ActivityList } from "./activity-list.tsx";
import classes from "./dashboard-screen.module.css";
import { greeting } from "./greeting.ts";
import { type HomeTable, homeTables } from "./home-tiles.ts";
import { KpiSkeletons } from "./kpi-card.tsx";
import { TableValues, TableWork } from "./table-values.tsx";
import "../../tiles/tiles.css";
import { Box } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import type { Proof } from "../../../../shared/protocol/freshness.ts";
import { PresencePopover } from "../../records/presence-list.tsx";
import { presentUsersOf } from "../../records/present-users.ts";
import { connectionAtom } from "../../state/connection-state.ts";
import { useAtom } from "../../state/use-atom.ts";
import { useIsPresenceKnown, usePresence } from "../../state/use-presence.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";
import { Hint } from "../../ui/texts.ts";
import { LineSkeletons, Part } from "./part.tsx";

/** Only where something remains to be set up. */
const NextSteps = lazy(() =>
  import("../../access/next-steps.tsx").then(
    (loaded): { default: ComponentType } => ({ default: loaded.NextSteps }),
    () => ({ default: () => null }),
  ),
);
/** More than are shown, because runs of changes are joined into one line. */
const ACTIVITY_LINES = 12;
/** Limits the subscriptions for models with many tables. */
const MAX_LIVE_TABLES = 12;

/**
 * The first screen after sign-in: values of the visible tables, records that need attention, the user's own work, the
 * latest changes, and who is online. The values are tiles.
 */
export function DashboardScreen() {
  const { model, session } = useAccountData();
  useTitle(messages.dashboard());
  const view = useAtom(wallboardAtom(HOME_WALLBOARD, false));
  useEffect(() => followWallboard(HOME_WALLBOARD, false), []);
  const activity = useActivity();
  const now = new Date();
  const tables = homeTables(view, model.tables);
  const freshness = useFreshness(view.proof);
  const fresh = view.board ? freshness : "live";
  const isEmpty = model.tables.length === 0;
  const expected = useExpectedCards();
  // Beside the lists of work; in their place where there are none.
  const changes = !isEmpty && <ActivityList {...activity} />;
  return (
    <div className={classes.screen}>
      <Page
        title={greeting(now, session.user.name)}
        lead={dayText(now)}
        actions={
          // Its place is there before it is known who is online.
          !isEmpty && (
            <div className={classes.onlinePlace}>
              <OnlineNow />
            </div>
          )
        }
      >
        {fresh === "lost" && <FreshnessNote proof={view.proof} />}
        {!view.board && !isEmpty && (
          <div className={`wf-tiles ${classes.values}`} data-plain={!expected.hasWork || undefined}>
            <KpiSkeletons {...expected} />
          </div>
        )}
        <ServerClock proof={view.proof}>
          {groupsOf(tables).map((group) => (
            <div
              key={group[0]?.key}
              className={`wf-tiles ${classes.values}`}
              data-plain={group.some(({ parts }) => parts.all) || undefined}
            >
              {group.map((table) => (
                <TableValues key={table.key} table={table} fresh={fresh} />
              ))}
            </div>
          ))}
        </ServerClock>
        <div className={classes.columns}>
          <div className={classes.column}>
            {isEmpty && <NoTables />}
            {!view.board && expected.hasWork && (
              <Part title={messages.attention()}>
                <Box h={36} />
                <LineSkeletons widths={[82, 74, 78, 66, 80, 72, 76, 60]} isTall />
              </Part>
            )}
            <ServerClock proof={view.proof}>
              {tables.map((table) => (
                <TableWork key={table.key} {...{ table, fresh }} alone={tables.length === 1} />
              ))}
            </ServerClock>
            {!expected.hasWork && changes}
          </div>
          <div className={classes.column}>
            {expected.hasWork && changes}
            <Suspense fallback={null}>
              <NextSteps />
            </Suspense>
          </div>
        </div>
      </Page>
    </div>
  );
}

/** Tables with work have a line of cards each; counts of other tables share one. */
function groupsOf(tables: readonly HomeTable[]): HomeTable[][] {
  const plain = tables.filter(({ parts }) => parts.all);
  const working = tables.filter(({ parts }) => !parts.all).map((table) => [table]);
  return plain.length > 0 ? [...working, plain] : working;
}

/** The cards to come, by what the model says: nothing moves when their values arrive. */
function useExpectedCards() {
  const { model, session } = useAccountData();
  const works = model.tables.flatMap((table) => {
    const found = workOf(table, session.abilities.tables[table.name]?.fields);
    return found ? [found] : [];
  });
  const [work] = works;
  if (!work) return { hasWork: false, count: Math.min(model.tables.length, 6), hasBars: false };
  const { due, person, started, done, level } = work;
  const cards = [true, due, person, started, done].filter(Boolean);
  return { hasWork: true, count: cards.length, hasBars: level !== undefined };
}

/** The day; with the zone of its days, where that is not the zone of this device. */
function dayText(now: Date): string {
  // In the language of the interface, in the order of the user's own English locale.
  const english = navigator.languages.find((language) => /^en\b/.test(language)) ?? "en-GB";
  const zone = dayZone();
  const parts = { weekday: "long", day: "numeric", month: "long", timeZone: zone } as const;
  const text = new Intl.DateTimeFormat(english, parts).format(now);
  return zone === ownZone() ? text : messages.daysIn({ day: text, zone: zoneText(zone) });
}

/** The latest changes, read again when a table changes.  */
function useActivity() {
  const { model } = useAccountData();
  const followed = model.tables.slice(0, MAX_LIVE_TABLES);
  const names = followed.map((table) => table.name).join("\n");
  const [titles] = useState(() => new Map<string, string>());
  const read = () => readActivity(followed, ACTIVITY_LINES, titles);
  const { data, problem, reload } = useRemote(read);
  useEffect(() => followTables(names ? names.split("\n") : [], reload), [names, reload]);
  return { items: data, problem };
}

/** Says that the values are outdated, and since when. */
function FreshnessNote({ proof }: { proof: Proof | null }) {
  const isConnected = useAtom(connectionAtom).kind === "live";
  const seconds = useAge(proof);
  const age = freshnessText(seconds, proof?.asOf ?? null, isConnected, ownZone());
  return (
    <Callout component="p" mb={16} c="var(--wf-warn)" role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      {isConnected ? messages.outdatedDatabase({ age }) : messages.outdatedConnection({ age })}
    </Callout>
  );
}

/** How many others are online; by a click who, and where. */
function OnlineNow() {
  const { model, session } = useAccountData();
  const tables = model.tables.map((table) => table.name);
  const presence = usePresence(tables);
  const isKnown = useIsPresenceKnown(tables);
  const presentUsers = presentUsersOf(presence, session.user.id);
  if (presentUsers.length === 0) return isKnown && <Hint>{messages.nobodyElse()}</Hint>;
  return (
    <PresencePopover presentUsers={presentUsers} tables={model.tables} className={classes.online}>
      <Hint span>{messages.online({ count: presentUsers.length })}</Hint>
    </PresencePopover>
  );
}

/** Shown without tables to those who can't make one: who can give access. */
function NoTables() {
  return (
    <Part title={messages.tables()}>
      <Hint>{messages.noAccess()}</Hint>
    </Part>
  );
}
