import type { Alert } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import classes from "./alert-mark.module.css";

/** `none`: nothing is known. */
type Colour = Alert["colour"] | "none";

/**
 * Each alert colour has a shape that is distinguishable without colour and from a distance, and a label next to it.
 */
const shapes: Record<Colour, string> = {
  // a dash, a disc, a square, a triangle, a diamond, an octagon
  none: "M3 10h18v4H3Z",
  green: "M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20Z",
  blue: "M4 3h16a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Z",
  yellow: "M12 2.2 22.8 21H1.2Z",
  orange: "M12 1 23 12 12 23 1 12Z",
  red: "M8 1.5h8L22.5 8v8L16 22.5H8L1.5 16V8Z",
};

/** The sign in the shape: a tick, an i, exclamation marks. */
const signs: Record<Colour, string> = {
  none: "",
  green: "m7.5 12.3 3 3 6-6.4",
  blue: "M12 11v6M12 7v.2",
  yellow: "M12 9.5v5M12 17.6v.2",
  orange: "M12 7v6M12 16.6v.2",
  red: "M12 6.5v7M12 17.2v.2",
};

/** The shape of a colour, in the size of the surrounding text. */
export function AlertShape({ colour }: { colour: Colour }) {
  return (
    <svg className={classes.shape} viewBox="0 0 24 24" aria-hidden="true" data-colour={colour}>
      <path d={shapes[colour]} />
      <path className={classes.sign} d={signs[colour]} />
    </svg>
  );
}

interface MarkProps {
  alert: Alert;
  /** Next to a value it is narrow: the label has two lines, and the shape may be elsewhere. */
  isBeside?: boolean;
  hasShape?: boolean;
}

/** Shape and label of an alert, with the user who acknowledged it. */
export function AlertMark({ alert, isBeside = false, hasShape = true }: MarkProps) {
  const lines = isBeside && !alert.acknowledged ? twoLines(alert.word) : [alert.word];
  return (
    <span
      className={classes.mark}
      data-mark
      data-beside={isBeside || undefined}
      data-colour={alert.colour}
    >
      {(hasShape || !isBeside) && <AlertShape colour={alert.colour} />}
      {lines.map((line) => (
        <span key={line} className={classes.word}>
          {line}
        </span>
      ))}
      {alert.acknowledged && (
        <span className={classes.seen}>{messages.seenBy({ user: alert.acknowledged.by })}</span>
      )}
    </span>
  );
}

/** Splits a label into two lines of about equal length. */
function twoLines(word: string): string[] {
  const parts = word.split(" ");
  const breaks = parts
    .slice(1)
    .map((_, index) => [parts.slice(0, index + 1).join(" "), parts.slice(index + 1).join(" ")]);
  const widest = (lines: string[]) => Math.max(...lines.map(({ length }) => length));
  return breaks.reduce((best, one) => (widest(one) < widest(best) ? one : best), [word]);
}
