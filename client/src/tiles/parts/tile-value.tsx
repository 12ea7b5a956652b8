import type { CSSProperties } from "react";
import classes from "./tile-value.module.css";

/**
 * A value as large as its place allows. Its size is computed from the number of characters, which have equal widths, so
 * that no measuring is needed and the layout is stable while it changes.
 */
export function TileValue({ text, unit = "" }: { text: string; unit?: string }) {
  const chars = Math.max(text.length + (unit ? unit.length * 0.5 + 0.4 : 0), 1);
  return (
    <div className={classes.place}>
      <span className={classes.value} style={{ "--chars": chars } as CSSProperties}>
        {text}
        {unit && <span className={classes.unit}>{unit}</span>}
      </span>
    </div>
  );
}
