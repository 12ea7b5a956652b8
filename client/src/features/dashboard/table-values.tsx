import { Link } from "wouter";
import type { Freshness } from "../../../../shared/protocol/freshness.ts";
import { useModel } from "../../state/use-account.ts";
import { tableAddress } from "../../ui/record-address.ts";
import { type HomeTable, type HomeTile, withOpenHistory } from "./home-tiles.ts";
import { KpiCard } from "./kpi-card.tsx";
import { Part } from "./part.tsx";
import classes from "./table-values.module.css";
import { tableOf, WorkList } from "./work-list.tsx";

interface Props {
  table: HomeTable;
  fresh: Freshness;
}

/** How a table stands and how it came to that, as cards. */
export function TableValues({ table: { parts }, fresh }: Props) {
  const cards = [withOpenHistory(parts), parts.began, parts.done, parts.all];
  return (
    <>
      {cards.map((part) => part && <KpiCard key={part.tile.id} part={part} fresh={fresh} />)}
      {parts.level && <KpiCard part={parts.level} fresh={fresh} wide />}
    </>
  );
}

/** What needs anybody in one table, and what I have to do there. */
export function TableWork({ table: { parts }, fresh, alone }: Props & { alone: boolean }) {
  const { mine, attention, overdue, unassigned, stale } = parts;
  const cards = [overdue, unassigned, stale].filter((part) => part !== undefined);
  const unassignedHref = unassigned?.tile.address;
  const suffix = useTableSuffix(mine ?? cards[0], alone);
  const none = (
    <>
      Nothing is assigned to you.{" "}
      {unassignedHref && (
        <Link className={classes.link} href={unassignedHref}>
          Show unassigned
        </Link>
      )}
    </>
  );
  return (
    <>
      {(cards.length > 0 || attention) && (
        <Part title={`Needs attention${suffix}`}>
          <div className={`wf-tiles ${classes.cards}`} data-theme="console">
            {cards.map((part) => (
              <KpiCard key={part.tile.id} part={part} fresh={fresh} low />
            ))}
          </div>
          {attention && <WorkList part={attention} none="Nothing overdue or unassigned" />}
        </Part>
      )}
      {mine && (
        <Part title={`My work${suffix}`}>
          <WorkList part={mine} none={none} />
        </Part>
      )}
    </>
  );
}

/** Where there are several tables with work, each says which it is. */
function useTableSuffix(part: HomeTile | undefined, alone: boolean): string {
  const address = tableOf(part?.tile.address);
  const { tables } = useModel();
  const table = tables.find(({ name }) => tableAddress(name) === address);
  return alone || !table ? "" : ` in ${table.label}`;
}
