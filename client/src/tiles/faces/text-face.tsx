import classes from "./text-face.module.css";

/** Words, as they were written: line by line. */
export function TextFace({ text }: { text: string }) {
  return <p className={classes.text}>{text}</p>;
}
