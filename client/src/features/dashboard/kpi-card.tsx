import { Skeleton } from "@mantine/core";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "wouter";
import type { Freshness } from "../../../../shared/protocol/freshness.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { linePath, rangeOf } from "../../tiles/parts/line-path.ts";
import { seriesColour } from "../../tiles/parts/series-colour.ts";
import { asNumber, valueText } from "../../tiles/tile-text.ts";
import type { HomeTile } from "./home-tiles.ts";
import classes from "./kpi-card.module.css";

interface Props {
  part: HomeTile;
  fresh: Freshness;
  /** What is said below the value. */
  note?: ReactNode;
  /** Of what should be none: a dot says that there are some. */
  tone?: "bad" | "warn";
  /** Takes a whole line where there are two columns. */
  lead?: boolean;
}

/** One value of a table as a card that opens exactly the records behind it. */
export function KpiCard({ part, fresh, note, tone, lead }: Props) {
  const { tile, frame } = part;
  const value = frame && valueText(tile, frame.value);
  const points = frame?.series?.[0]?.points.map((point) => asNumber(point.value));
  const isRaised = tone !== undefined && (asNumber(frame?.value) ?? 0) > 0;
  return (
    <Card part={part} fresh={fresh} lead={lead}>
      <span className={classes.title}>
        {tile.title}
        {isRaised && <span className={classes.dot} data-tone={tone} aria-hidden="true" />}
      </span>
      {isWaiting(part) ? (
        <Skeleton height={28} width="40%" />
      ) : (
        <strong className={classes.value}>{value}</strong>
      )}
      <span className={classes.note}>{note ?? comparisonOf(part)}</span>
      {points && points.length > 1 && <SparkLine values={points} />}
    </Card>
  );
}

/** How many bars a card of this height has. */
const BARS_MAX = 5;

/** The open records by their importance, as bars of one colour: the dots have those of the options. */
export function BarsCard({ part, fresh }: Pick<Props, "part" | "fresh">) {
  const { tile, frame } = part;
  const rows = (frame?.rows ?? []).slice(0, BARS_MAX);
  const sizes = rows.map(({ value }) => Math.max(asNumber(value) ?? 0, 0));
  const largest = Math.max(...sizes, 1);
  return (
    <Card part={part} fresh={fresh} wide>
      <span className={classes.title}>{tile.title}</span>
      {isWaiting(part) && <Skeleton height={12} width="70%" />}
      <ul className={classes.bars}>
        {rows.map(({ key, label, value }, index) => (
          <li key={JSON.stringify(key)}>
            <span
              className={classes.option}
              style={{ "--option": seriesColour(tile.group, key, index) } as CSSProperties}
              aria-hidden="true"
            />
            <span dir="auto" className={classes.label}>
              {label}
            </span>
            <span
              className={classes.bar}
              style={{ "--part": (sizes[index] ?? 0) / largest } as CSSProperties}
              aria-hidden="true"
            />
            <span>{valueText(tile, value)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface CardProps extends Pick<Props, "part" | "fresh"> {
  wide?: boolean;
  lead?: boolean | undefined;
  children: ReactNode;
}

function Card({ part, fresh, wide, lead, children }: CardProps) {
  const { tile, frame } = part;
  const label = isWaiting(part)
    ? messages.showRecords({ tile: tile.title })
    : messages.showRecordsWithValue({ tile: tile.title, value: valueText(tile, frame?.value) });
  return (
    <div
      className={classes.card}
      data-card={tile.id}
      data-wide={wide}
      data-lead={lead || undefined}
      data-fresh={fresh}
      aria-busy={isWaiting(part) || undefined}
    >
      {children}
      {tile.address && <Link className={classes.cover} href={tile.address} aria-label={label} />}
    </div>
  );
}

function isWaiting({ frame }: HomeTile): boolean {
  return !frame || frame.state === "waiting";
}

/** "11 more than this time yesterday"; nothing if it is not known. */
function comparisonOf({ tile, frame }: HomeTile): string {
  const before = asNumber(frame?.before);
  const running = asNumber(frame?.series?.[0]?.points.at(-1)?.value);
  const now = tile.compared === "trend" ? running : asNumber(frame?.value);
  if (tile.compared === undefined || before === null || now === null) return "";
  const difference = now - before;
  const isLevel = tile.compared === "level";
  if (difference === 0) return isLevel ? messages.sameAsMidnight() : messages.sameAsYesterday();
  const count = Math.abs(difference);
  if (isLevel) {
    return difference > 0
      ? messages.moreAsMidnight({ count })
      : messages.fewerAsMidnight({ count });
  }
  return difference > 0
    ? messages.moreAsYesterday({ count })
    : messages.fewerAsYesterday({ count });
}

/** Decorative: the days until now. */
function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known, low + 1);
  // The level of a stock would be a flat line from zero.
  const range = low > 0 && high - low < low ? { low, high } : rangeOf(values);
  return (
    <svg
      className={classes.spark}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={linePath(values, range)} />
    </svg>
  );
}

/** Placeholders for cards that are not loaded yet: as many and as large as those of a table with work. */
export function KpiSkeletons({ count, hasBars }: { count: number; hasBars: boolean }) {
  return Array.from({ length: count + (hasBars ? 1 : 0) }, (_, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: they only differ by their place.
      key={index}
      className={classes.card}
      data-wide={index === count || undefined}
      aria-hidden="true"
    >
      <Skeleton height={12} width="55%" />
      <Skeleton height={28} width="40%" />
    </div>
  ));
}
