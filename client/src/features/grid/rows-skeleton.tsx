import { gridMessages as messages } from "../../messages/en/grid.ts";
import classes from "./table-view.module.css";

const bars = [
  [64, 210, 90, 120],
  [58, 170, 104, 96],
  [66, 240, 78, 130],
  [60, 190, 98, 110],
  [62, 150, 86, 124],
  [56, 220, 92, 100],
  [64, 180, 100, 118],
  [60, 230, 84, 90],
] as const;

/** Placeholders in the shape of rows, so that nothing moves when the rows arrive. */
export function RowsSkeleton() {
  return (
    <div className={classes.cover} aria-busy="true">
      <span className="wf-visually-hidden" role="status">
        {messages.loadingRows()}
      </span>
      <div aria-hidden="true">
        {bars.map((widths) => (
          <div key={widths.join()} className={classes.skeletonRow}>
            {widths.map((width) => (
              <span key={width} style={{ width }} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
