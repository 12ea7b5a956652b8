import classes from "./text-tile-view.module.css";

/** Words, as they were written: line by line. */
export function TextTileView({ text }: { text: string }) {
  return <p className={classes.text}>{text}</p>;
}
