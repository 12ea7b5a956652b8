import { Skeleton } from "@mantine/core";
import { Link } from "wouter";
import type { Freshness } from "../../../../shared/protocol/freshness.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { valueText } from "../../tiles/tile-text.ts";
import { TileView } from "../../tiles/tile-view.tsx";
import type { HomeTile } from "./home-tiles.ts";
import classes from "./kpi-card.module.css";

interface Props {
  part: HomeTile;
  fresh: Freshness;
  /** For tiles that need more space, such as bars. */
  wide?: boolean;
  /** Takes a whole line where there are two columns. */
  lead?: boolean;
  /** For a value and a label only. */
  low?: boolean;
}

/** One tile as a card that opens exactly the records behind it. */
export function KpiCard({ part: { tile, frame }, fresh, wide, lead, low }: Props) {
  const isWaiting = !frame || frame.state === "waiting";
  const label = isWaiting
    ? messages.showRecords({ tile: tile.title })
    : messages.showRecordsWithValue({ tile: tile.title, value: valueText(tile, frame.value) });
  return (
    <div
      className={classes.card}
      data-wide={wide}
      data-lead={lead || undefined}
      data-low={low}
      data-card={tile.id}
    >
      {isWaiting ? (
        <div className={classes.waiting} aria-busy="true">
          <span>{tile.title}</span>
          <Skeleton height={34} width="40%" />
        </div>
      ) : (
        <TileView tile={tile} frame={frame} fresh={fresh} />
      )}
      {tile.address && <Link className={classes.cover} href={tile.address} aria-label={label} />}
    </div>
  );
}

/** Placeholders for cards that are not loaded yet. */
export function KpiSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all items are equal.
    <div key={index} className={classes.card} aria-hidden="true">
      <div className={classes.waiting}>
        <Skeleton height={12} width="55%" />
        <Skeleton height={34} width="40%" />
      </div>
    </div>
  ));
}
