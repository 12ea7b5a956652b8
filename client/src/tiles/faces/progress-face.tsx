import type { CSSProperties } from "react";
import { Figure } from "../parts/figure.tsx";
import { asNumber, figureText, unitOf } from "../tile-text.ts";
import type { FaceProps } from "./face-props.ts";
import classes from "./progress-face.module.css";

/** How much of what is to be reached is reached: the share large, the figures beside the bar. */
export function ProgressFace({ tile, frame }: FaceProps) {
  const value = asNumber(frame.value);
  const target = asNumber(frame.target ?? tile.target);
  const share = value === null || target === null || target === 0 ? null : value / target;
  const percent = share === null ? "–" : String(Math.floor(share * 100));
  const unit = unitOf(tile);
  return (
    <div className={classes.progress}>
      <Figure text={percent} unit="%" />
      <div
        className={classes.track}
        role="img"
        aria-label={`${percent} percent`}
        style={{ "--share": Math.min(Math.max(share ?? 0, 0), 1) } as CSSProperties}
      />
      <p className={classes.foot} data-foot>
        {figureText(tile, frame.value)}
        <span className={classes.dim}>
          {" of "}
          {figureText(tile, frame.target ?? tile.target)} {unit}
        </span>
      </p>
    </div>
  );
}
