import { Text } from "@mantine/core";
import type { CSSProperties, ReactNode } from "react";
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
  const { lead, title, facts } = columnsOf(tile.fields ?? []);
  useLabelUpdates();
  const model = useModel();
  if (!rows) return <LineSkeletons widths={[82, 74, 78, 66]} />;
  if (rows.length === 0) return <Text c="dimmed">{none}</Text>;
  const style = { "--facts": facts.length } as CSSProperties;
  const table = model.tables.find(({ name }) => tableAddress(name) === tableOf(tile.address));
  const records = rows.map(({ key }) => String(key));
  const trail = table && trailState(records.map((record) => ({ table: table.name, record })));
  return (
    <>
      <ul className={classes.list} style={style}>
        {rows.map((row) => (
          <li key={String(row.key)} className={classes.item}>
            <Link
              className={classes.row}
              href={table ? recordAddress(table.name, String(row.key)) : tableOf(tile.address)}
              state={trail}
            >
              <Dim textWrap="nowrap">{lead ? textOf(lead, row) : row.label}</Dim>
              <span dir="auto" className={classes.title}>
                {title && textOf(title, row)}
              </span>
              {facts.map((field) => (
                <span key={field.name} className={classes.fact}>
                  {row.values?.[field.name] != null && <Fact field={field} row={row} />}
                </span>
              ))}
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

/** The first column, the text that fills the row, and the other columns. */
function columnsOf([lead, ...rest]: readonly ShownField[]) {
  const title = rest.find(({ type }) => type === "text");
  return { lead, title, facts: rest.filter((field) => field !== title) };
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
  if (field.type === "timestamp" || field.type === "date") return <DueTime at={String(value)} />;
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
