import type { CSSProperties } from "react";
import classes from "./tile-value.module.css";

/**
 * A figure as large as its place allows. Its room is reckoned from the number of its characters, which
 * all have one width, so that nothing is measured and nothing moves while it changes.
 */
export function TileValue({ text, unit = "" }: { text: string; unit?: string }) {
  const chars = Math.max(text.length + (unit ? unit.length * 0.5 + 0.4 : 0), 1);
  return (
    <div className={classes.place}>
      <span className={classes.figure} style={{ "--chars": chars } as CSSProperties}>
        {text}
        {unit && <span className={classes.unit}>{unit}</span>}
      </span>
    </div>
  );
}
