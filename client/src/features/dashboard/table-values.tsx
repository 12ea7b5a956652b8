import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import { type Work, workOf } from "../../../../shared/model/work-of.ts";
import type { Freshness } from "../../../../shared/protocol/freshness.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { useNow } from "../../tiles/tile-clock.ts";
import { asNumber, spanText } from "../../tiles/tile-text.ts";
import { formatCount } from "../../ui/numbers.ts";
import { type HomeTable, type HomeTile, tableOf, withOpenHistory } from "./home-tiles.ts";
import { BarsCard, KpiCard } from "./kpi-card.tsx";
import { Part } from "./part.tsx";
import classes from "./table-values.module.css";
import { WorkList } from "./work-list.tsx";

interface Props {
  table: HomeTable;
  fresh: Freshness;
}

const MINUTE_MS = 60_000;

/** The values of a table and their trends, as one line of cards. */
export function TableValues({ table: { parts }, fresh }: Props) {
  const work = useWork(parts.open)?.work;
  const { overdue, unassigned, began, done, all, level } = parts;
  const cards: { part: HomeTile; note?: ReactNode; tone?: "bad" | "warn" }[] = [
    ...shown(withOpenHistory(parts)),
    ...shown(overdue, { note: <Oldest part={overdue} field={work?.due?.name} />, tone: "bad" }),
    ...shown(unassigned, {
      note: <Oldest part={unassigned} field={work?.started?.name} />,
      tone: "warn",
    }),
    ...shown(began),
    ...shown(done),
    ...shown(all),
  ];
  return (
    <>
      {cards.map((card, index) => (
        <KpiCard
          key={card.part.tile.id}
          {...card}
          fresh={fresh}
          // In two columns an odd number would leave a gap.
          lead={index === 0 && cards.length % 2 === 1}
        />
      ))}
      {level && <BarsCard part={level} fresh={fresh} />}
    </>
  );
}

/** The arrows go to the tabs beside, and choose them. */
function goToTab({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>): void {
  const { nextElementSibling: next, previousElementSibling: previous } = currentTarget;
  const to = key === "ArrowRight" ? next : key === "ArrowLeft" ? previous : null;
  if (!(to instanceof HTMLElement)) return;
  to.focus();
  to.click();
}

function shown(part: HomeTile | undefined, more: object = {}) {
  return part ? [{ part, ...more }] : [];
}

/** "oldest 2 d": how long the first of them waits already. */
function Oldest({ part, field }: { part: HomeTile | undefined; field: string | undefined }) {
  const now = useNow(MINUTE_MS);
  const moments = (part?.frame?.rows ?? []).map(({ values }) => values?.[field ?? ""]);
  const known = moments.flatMap((at) => (at == null ? [] : Date.parse(String(at))));
  const first = Math.min(...known);
  return Number.isFinite(first) && first < now
    ? messages.oldest({ time: spanText(now - first) })
    : null;
}

/** Records of a table that need attention, each list behind its tab, and those assigned to the user. */
export function TableWork({ table: { parts }, fresh, alone }: Props & { alone: boolean }) {
  const { mine, overdue, unassigned, stale } = parts;
  const lists = [overdue, unassigned, stale].filter((part) => part !== undefined);
  const [chosen, setChosen] = useState<string | null>(null);
  const hasRows = ({ frame }: HomeTile) => (asNumber(frame?.value) ?? 0) > 0;
  const list = lists.find(({ tile }) => tile.id === chosen) ?? lists.find(hasRows) ?? lists[0];
  const unassignedHref = unassigned?.tile.address;
  const label = useWork(mine ?? lists[0])?.table.label;
  const table = alone ? undefined : label;
  const none = (
    <>
      {messages.nothingAssigned()}{" "}
      {unassignedHref && (
        <Link className={classes.link} href={unassignedHref}>
          {messages.showUnassigned({ records: label?.toLowerCase() ?? "" })}
        </Link>
      )}
    </>
  );
  return (
    <>
      {list && (
        <Part title={table ? messages.attentionIn({ table }) : messages.attention()}>
          <div className={classes.tabs} role="tablist" aria-label={messages.attention()}>
            {lists.map((part) => (
              <button
                key={part.tile.id}
                type="button"
                role="tab"
                className={classes.tab}
                aria-selected={part === list}
                tabIndex={part === list ? 0 : -1}
                onClick={() => setChosen(part.tile.id)}
                onKeyDown={goToTab}
              >
                {part.tile.title}
                <span>{part.frame && formatCount(asNumber(part.frame.value) ?? 0)}</span>
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={list.tile.title} data-fresh={fresh}>
            <WorkList part={list} none={messages.nothingUrgent()} />
          </div>
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

/** The table of a tile, and what it says about work. */
function useWork(part: HomeTile | undefined): { table: Table; work: Work | null } | null {
  const address = tableOf(part?.tile.address);
  const { tables } = useModel();
  const abilities = useAbilities();
  const table = tables.find(({ name }) => tableAddress(name) === address);
  return table ? { table, work: workOf(table, abilities.tables[table.name]?.fields) } : null;
}
