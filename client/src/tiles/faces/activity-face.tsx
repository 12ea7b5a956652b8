import type { ShownTile, TileRow } from "../../../../shared/protocol/frame.ts";
import wholeRows from "../parts/whole-rows.module.css";
import { useNow } from "../tile-clock.ts";
import { cellText, spanText } from "../tile-text.ts";
import classes from "./activity-face.module.css";
import type { FaceProps } from "./face-props.ts";

const TEN_SECONDS_MS = 10_000;

/** The last changes, newest first: what, how, and how long ago. */
export function ActivityFace({ tile, frame }: FaceProps) {
  const { rows = [] } = frame;
  const now = useNow(TEN_SECONDS_MS);
  if (rows.length === 0) return <p className={wholeRows.none}>Nothing has happened yet</p>;
  return (
    <ol className={`${wholeRows.rows} ${classes.activity}`}>
      {rows.map((row) => (
        <li key={String(row.key)}>
          <span className={classes.what}>
            <b>{row.label}</b> <span className={classes.dim}>{changeWords(tile, row)}</span>
          </span>
          {row.change && (
            <span className={classes.age}>{spanText(now - Date.parse(row.change.at))}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** "new", "removed", "State Resolved, Group Network"; by whom where the tile tells people. */
export function changeWords(
  { fields = [] }: ShownTile,
  { change, values, texts }: TileRow,
): string {
  if (!change) return "";
  const by = change.by ? ` by ${change.by}` : "";
  if (change.kind === "insert") return `new${by}`;
  if (change.kind === "delete") return `removed${by}`;
  const told = fields.filter(({ name }) => change.fields.includes(name));
  const words = told.map((field) => {
    const text = cellText(field, values?.[field.name], texts?.[field.name]);
    return text ? `${field.label.toLowerCase()}: ${text}` : `${field.label.toLowerCase()} emptied`;
  });
  return `${words.join(", ") || "changed"}${by}`;
}
