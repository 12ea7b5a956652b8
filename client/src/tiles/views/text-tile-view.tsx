import classes from "./text-tile-view.module.css";

/** A text with its line breaks. */
export function TextTileView({ text }: { text: string }) {
  return <p className={classes.text}>{text}</p>;
}
