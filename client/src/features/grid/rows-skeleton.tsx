import { gridMessages as messages } from "../../messages/en/grid.ts";
import { heightPx } from "./ag-grid.ts";
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

/** Placeholders in the shape of rows, over the whole screen, so that nothing moves when the rows arrive. */
export function RowsSkeleton() {
  const count = Math.ceil(innerHeight / heightPx("row"));
  return (
    <div className={classes.cover} aria-busy="true">
      <span className="wf-visually-hidden" role="status">
        {messages.loadingRows()}
      </span>
      <div className={classes.skeleton} aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows stay in place.
          <div key={index} className={classes.skeletonRow}>
            {bars[index % bars.length]?.map((width) => (
              <span key={width} style={{ width }} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
