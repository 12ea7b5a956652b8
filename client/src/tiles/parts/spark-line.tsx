import { areaPath, linePath, rangeOf } from "./line-path.ts";
import classes from "./spark-line.module.css";

/** A trend line without axes that fills its place. */
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
