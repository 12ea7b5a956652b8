import type { CSSProperties } from "react";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { TileValue } from "../parts/tile-value.tsx";
import { asNumber, unitOf, valueText } from "../tile-text.ts";
import classes from "./progress-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

/** Rounded, but 100 only where the target is reached. */
export function percentOf(share: number): number {
  const rounded = Math.round(share * 100);
  return share < 1 ? Math.min(rounded, 99) : rounded;
}

/** Progress towards a target: the percentage, a bar, and the values. */
export function ProgressTileView({ tile, frame }: TileViewProps) {
  const value = asNumber(frame.value);
  const target = asNumber(frame.target ?? tile.target);
  const share = value === null || target === null || target === 0 ? null : value / target;
  const percent = share === null ? "–" : String(percentOf(share));
  const unit = unitOf(tile);
  return (
    <div className={classes.progress}>
      <TileValue text={percent} unit="%" />
      <div
        className={classes.track}
        role="img"
        aria-label={messages.percent({ percent })}
        style={{ "--share": Math.min(Math.max(share ?? 0, 0), 1) } as CSSProperties}
      />
      <p className={classes.foot} data-foot>
        {valueText(tile, frame.value)}
        <span className={classes.dim}>
          {" "}
          {messages.ofTarget({ target: valueText(tile, frame.target ?? tile.target) })} {unit}
        </span>
      </p>
    </div>
  );
}
