import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Field } from "../../../../shared/model/model.ts";
import type { ShownField, TileRow } from "../../../../shared/protocol/frame.ts";
import { recordAddress, tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { Part } from "../../records/fields/value-mark.tsx";
import { optionPart, userPart } from "../../records/fields/value-parts.ts";
import { trailState } from "../../records/record-trail.ts";
import { useModel } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { useNow } from "../../tiles/tile-clock.ts";
import { asNumber, cellText, spanText } from "../../tiles/tile-text.ts";
import { formatCount, formatMoment } from "../../ui/numbers.ts";
import { type HomeTile, tableOf } from "./home-tiles.ts";
import classes from "./work-list.module.css";
import "../../records/fields/marks.css";
import { Dim } from "../../ui/texts.ts";
import { LineSkeletons } from "./part.tsx";

const MINUTE_MS = 60_000;

interface Props {
  part: HomeTile;
  /** Shown if the list is empty. */
  none: ReactNode;
}

/** A list of records that need work, with links to them. */
export function WorkList({ part: { tile, frame }, none }: Props) {
  const rows = frame?.rows;
  const total = asNumber(frame?.value) ?? 0;
  const { lead, title, moment, facts } = columnsOf(tile.fields ?? []);
  useLabelUpdates();
  const model = useModel();
  if (!rows) return <LineSkeletons widths={[82, 74, 78, 66, 80, 72, 76, 60]} isTall />;
  if (rows.length === 0) return <Text c="dimmed">{none}</Text>;
  const table = model.tables.find(({ name }) => tableAddress(name) === tableOf(tile.address));
  const records = rows.map(({ key }) => String(key));
  const trail = table && trailState(records.map((record) => ({ table: table.name, record })));
  return (
    <>
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={String(row.key)}>
            <Link
              className={classes.row}
              href={table ? recordAddress(table.name, String(row.key)) : tableOf(tile.address)}
              state={trail}
            >
              <span dir="auto" className={classes.title}>
                {title ? textOf(title, row) : row.label}
              </span>
              <span className={classes.facts}>
                {title && <Dim textWrap="nowrap">{lead ? textOf(lead, row) : row.label}</Dim>}
                {facts.map(
                  (field) =>
                    row.values?.[field.name] != null && (
                      <span key={field.name}>
                        <Fact field={field} row={row} />
                      </span>
                    ),
                )}
              </span>
              {moment && row.values?.[moment.name] != null && (
                <DueTime at={String(row.values[moment.name])} />
              )}
            </Link>
          </li>
        ))}
      </ul>
      {total > rows.length && tile.address && (
        <Link className={classes.all} href={tile.address}>
          {messages.showAll({ count: formatCount(total) })}
        </Link>
      )}
    </>
  );
}

/** What names a record, when it is due, and what else is said of it. */
function columnsOf([lead, ...rest]: readonly ShownField[]) {
  const title = rest.find(({ type }) => type === "text");
  const moment = rest.find(({ type }) => type === "timestamp" || type === "date");
  return {
    lead,
    title,
    moment,
    facts: rest.filter((field) => field !== title && field !== moment),
  };
}

function Fact({ field, row }: { field: ShownField; row: TileRow }) {
  const value = row.values?.[field.name];
  if (field.type === "select") {
    const option = field.options?.find((one) => one.value === value);
    return <Part part={optionPart(option?.label ?? String(value), option?.colour)} />;
  }
  if (field.type === "person") {
    const user = pageLabels().get(field as Field, String(value));
    return <Part part={userPart(textOf(field, row), user?.colour)} />;
  }
  return <span>{textOf(field, row)}</span>;
}

/** A due date relative to now. */
function DueTime({ at }: { at: string }) {
  const away = Date.parse(at) - useNow(MINUTE_MS);
  const span = spanText(Math.abs(away));
  return (
    <time
      className={classes.moment}
      data-late={away < 0 || undefined}
      dateTime={at}
      title={formatMoment(at)}
    >
      {away < 0 ? messages.overdue({ time: span }) : messages.due({ time: span })}
    </time>
  );
}

function textOf(field: ShownField, row: TileRow): string {
  return cellText(field, row.values?.[field.name], row.texts?.[field.name]);
}
