import { useEffect } from "react";
import { HOME_BOARD } from "../../../../shared/model/wallboard/home-board.ts";
import { useAccountData } from "../../state/use-account.ts";
import { useWallboardView } from "../../state/use-wallboard-view.ts";
import { readActivity } from "../../sync/calls/activity.ts";
import { followTables } from "../../sync/page/follow-tables.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { useFreshness } from "../../tiles/use-freshness.ts";
import { Page } from "../../ui/page.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { ActivityList } from "./activity-list.tsx";
import classes from "./dashboard-screen.module.css";
import { FreshnessNote } from "./freshness-note.tsx";
import { greeting } from "./greeting.ts";
import { homeTables } from "./home-tiles.ts";
import { KpiSkeletons } from "./kpi-card.tsx";
import { NextSteps } from "./next-steps.tsx";
import { NoTables } from "./no-tables.tsx";
import { PresencePart } from "./presence-part.tsx";
import { TableValues, TableWork } from "./table-values.tsx";
import "../../tiles/tiles.css";

/** More than fit, because runs of one deed become one line. */
const ACTIVITY_LINES = 12;
/** Besides what the tables tell by themselves: for relative times, and while the line is cut. */
const REFRESH_MS = 30_000;
/** A screen that follows every table of a huge model would help nobody. */
const MAX_LIVE_TABLES = 12;
const SKELETON_CARDS = 4;

/**
 * The signed-in person's first screen: figures of what they may see, what needs somebody, their own
 * work, what happened just now, and who is here. The figures come from the tile engine.
 */
export function DashboardScreen() {
  const { model, session } = useAccountData();
  useTitle("Dashboard");
  const view = useWallboardView(HOME_BOARD, false);
  useEffect(() => followWallboard(HOME_BOARD, false), []);
  const activity = useActivity();
  const now = new Date();
  // In the words of the interface, in the order that the person is used to.
  const english = navigator.languages.find((language) => /^en\b/.test(language)) ?? "en-GB";
  const day = new Intl.DateTimeFormat(english, { weekday: "long", day: "numeric", month: "long" });
  const tables = homeTables(view);
  const freshness = useFreshness(view.proof);
  const fresh = view.board ? freshness : "live";
  const isEmpty = model.tables.length === 0;
  return (
    <div className={classes.screen}>
      <Page title={greeting(now, session.user.name)} lead={day.format(now)}>
        {fresh === "lost" && <FreshnessNote proof={view.proof} />}
        <div className={`wf-tiles ${classes.figures}`} data-theme="console">
          {!view.board && !isEmpty && <KpiSkeletons count={SKELETON_CARDS} />}
          {tables.map((table) => (
            <TableValues key={table.key} table={table} fresh={fresh} />
          ))}
        </div>
        <div className={classes.columns}>
          <div className={classes.column}>
            {isEmpty && <NoTables />}
            {tables.map((table) => (
              <TableWork key={table.key} table={table} fresh={fresh} alone={tables.length === 1} />
            ))}
            {!isEmpty && <ActivityList {...activity} />}
          </div>
          <div className={classes.column}>
            <PresencePart />
            <NextSteps />
          </div>
        </div>
      </Page>
    </div>
  );
}

/** The latest changes, read anew when a table moves. */
function useActivity() {
  const { model } = useAccountData();
  const followed = model.tables.slice(0, MAX_LIVE_TABLES);
  const names = followed.map((table) => table.name).join("\n");
  const { data, problem, reload } = useRemote(
    () => readActivity(followed, ACTIVITY_LINES),
    REFRESH_MS,
  );
  useEffect(() => followTables(names ? names.split("\n") : [], reload), [names, reload]);
  return { items: data, problem };
}
