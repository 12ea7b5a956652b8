import type { ShownTile, TileRow } from "../../../../shared/protocol/frame.ts";
import wholeRows from "../parts/whole-rows.module.css";
import { useNow } from "../tile-clock.ts";
import { cellText, spanText } from "../tile-text.ts";
import classes from "./activity-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

const TEN_SECONDS_MS = 10_000;

/** The last changes, newest first: what, how, and how long ago. */
export function ActivityTileView({ tile, frame }: TileViewProps) {
  const { rows = [] } = frame;
  const now = useNow(TEN_SECONDS_MS);
  if (rows.length === 0) return <p className={wholeRows.none}>Nothing has happened yet</p>;
  return (
    <ol className={`${wholeRows.rows} ${classes.activity}`}>
      {rows.map((row) => (
        <li key={String(row.key)}>
          <span className={classes.what}>
            <b>{row.label}</b> <span className={classes.dim}>{changeLabel(tile, row)}</span>
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
export function changeLabel(
  { fields = [] }: ShownTile,
  { change, values, texts }: TileRow,
): string {
  if (!change) return "";
  const by = change.by ? ` by ${change.by}` : "";
  if (change.kind === "insert") return `new${by}`;
  if (change.kind === "delete") return `removed${by}`;
  const changedFields = fields.filter(({ name }) => change.fields.includes(name));
  const parts = changedFields.map((field) => {
    const text = cellText(field, values?.[field.name], texts?.[field.name]);
    return text ? `${field.label.toLowerCase()}: ${text}` : `${field.label.toLowerCase()} emptied`;
  });
  return `${parts.join(", ") || "changed"}${by}`;
}
