import { areaPath, linePath, rangeOf } from "./line-path.ts";
import classes from "./spark-line.module.css";

/** The way a figure came, without axes; it fills its place. The words beside it say what matters. */
export function SparkLine({ values }: { values: readonly (number | null)[] }) {
  const range = rangeOf(values);
  return (
    <svg
      className={classes.spark}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={classes.area} d={areaPath(values, range)} />
      <path className={classes.line} d={linePath(values, range)} />
    </svg>
  );
}
