import type { ShownTile, TileRow } from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import wholeRows from "../parts/whole-rows.module.css";
import { useNow } from "../tile-clock.ts";
import { cellText, spanText } from "../tile-text.ts";
import classes from "./activity-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

const TEN_SECONDS_MS = 10_000;

/** The latest changes, newest first: record, change and age. */
export function ActivityTileView({ tile, frame }: TileViewProps) {
  const { rows = [] } = frame;
  const now = useNow(TEN_SECONDS_MS);
  if (rows.length === 0) return <p className={wholeRows.none}>{messages.noActivity()}</p>;
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

/** "created", "deleted", "state: Resolved, group: Network"; with the author if the tile shows users. */
export function changeLabel(
  { fields = [] }: ShownTile,
  { change, values, texts }: TileRow,
): string {
  if (!change) return "";
  const user = change.by;
  if (change.kind === "insert") return user ? messages.createdBy({ user }) : messages.created();
  if (change.kind === "delete") return user ? messages.deletedBy({ user }) : messages.deleted();
  const changedFields = fields.filter(({ name }) => change.fields.includes(name));
  const parts = changedFields.map((field) => {
    const name = field.label.toLowerCase();
    const value = cellText(field, values?.[field.name], texts?.[field.name]);
    return value ? messages.fieldValue({ field: name, value }) : messages.cleared({ field: name });
  });
  const changes = parts.join(", ") || messages.changed();
  return user ? messages.changedBy({ changes, user }) : changes;
}
