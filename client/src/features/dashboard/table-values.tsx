import { Link } from "wouter";
import type { Freshness } from "../../../../shared/protocol/freshness.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useModel } from "../../state/use-account.ts";
import { type HomeTable, type HomeTile, tableOf, withOpenHistory } from "./home-tiles.ts";
import { KpiCard } from "./kpi-card.tsx";
import { Part } from "./part.tsx";
import classes from "./table-values.module.css";
import { WorkList } from "./work-list.tsx";

interface Props {
  table: HomeTable;
  fresh: Freshness;
}

/** The values of a table and their trends, as cards. */
export function TableValues({ table: { parts }, fresh }: Props) {
  const all = [withOpenHistory(parts), parts.began, parts.done, parts.all];
  const cards = all.filter((part) => part !== undefined);
  // In two columns an odd number would leave a gap.
  const isLead = (index: number) => index === 0 && cards.length % 2 === 1;
  return (
    <>
      {cards.map((part, index) => (
        <KpiCard key={part.tile.id} part={part} fresh={fresh} lead={isLead(index)} />
      ))}
      {parts.level && <KpiCard part={parts.level} fresh={fresh} wide />}
    </>
  );
}

/** Records of a table that need attention, and those assigned to the user. */
export function TableWork({ table: { parts }, fresh, alone }: Props & { alone: boolean }) {
  const { mine, attention, overdue, unassigned, stale } = parts;
  const cards = [overdue, unassigned, stale].filter((part) => part !== undefined);
  const unassignedHref = unassigned?.tile.address;
  const table = useTableLabel(alone ? undefined : (mine ?? cards[0]));
  const none = (
    <>
      {messages.nothingAssigned()}{" "}
      {unassignedHref && (
        <Link className={classes.link} href={unassignedHref}>
          {messages.showUnassigned()}
        </Link>
      )}
    </>
  );
  return (
    <>
      {(cards.length > 0 || attention) && (
        <Part title={table ? messages.attentionIn({ table }) : messages.attention()}>
          <div className={`wf-tiles ${classes.cards}`}>
            {cards.map((part) => (
              <KpiCard key={part.tile.id} part={part} fresh={fresh} low />
            ))}
          </div>
          {attention && <WorkList part={attention} none={messages.nothingUrgent()} />}
        </Part>
      )}
      {mine && (
        <Part title={table ? messages.myWorkIn({ table }) : messages.myWork()}>
          <WorkList part={mine} none={none} />
        </Part>
      )}
    </>
  );
}

/** The label of the table of a tile. */
function useTableLabel(part: HomeTile | undefined): string | undefined {
  const address = tableOf(part?.tile.address);
  const { tables } = useModel();
  return tables.find(({ name }) => tableAddress(name) === address)?.label;
}
