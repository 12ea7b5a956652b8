import type { CSSProperties, ReactNode } from "react";
import { isNumeric } from "../../../../shared/filter/value-kinds.ts";
import { type FieldType, kindOfType } from "../../../../shared/model/field-types.ts";
import type {
  ShownField,
  ShownTile,
  TileFrame,
  TileRow,
} from "../../../../shared/protocol/frame.ts";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import { AlertShape } from "../parts/alert-mark.tsx";
import { seriesColour } from "../parts/series-colour.ts";
import wholeRows from "../parts/whole-rows.module.css";
import { useNow } from "../tile-clock.ts";
import { HEAD_EM, PAD_EM, type TileSize } from "../tile-size.ts";
import { cellText, spanText } from "../tile-text.ts";
import classes from "./queue-tile-view.module.css";
import type { TileViewProps } from "./tile-view-props.ts";

const MINUTE_MS = 60_000;
const GREY = 5;
/** The height of a line, as in queue-tile-view.module.css, and of the note about values that are not current. */
const LINE_EM = 1.5;
const NOTE_EM = 1.2;

/** How many records a queue shows in a tile of this size, and how many others there are. */
export function queueLines(
  tile: ShownTile,
  { rows = [], rest, state }: TileFrame,
  tileSize: TileSize | undefined,
): { shown: number; others: number } {
  const total = rows.length + (rest?.groups ?? 0);
  if (!tileSize) return { shown: rows.length, others: total - rows.length };
  const height = tileSize.height - (tile.title ? HEAD_EM : PAD_EM) - (state === "ok" ? 0 : NOTE_EM);
  const fitting = (height_em: number) => Math.max(Math.floor(height_em / LINE_EM), 1);
  // The number of others is in the head, which a tile without title and others has not.
  const isWhole = total <= fitting(height);
  const places = fitting(isWhole || tile.title ? height : height - (HEAD_EM - PAD_EM));
  const shown = Math.min(rows.length, places);
  return { shown, others: total - shown };
}

/** The first records of a list, one line each. The longest text field takes the remaining width. */
export function QueueTileView({ tile, frame, tileSize }: TileViewProps) {
  const { shown } = queueLines(tile, frame, tileSize);
  const rows = (frame.rows ?? []).slice(0, shown);
  const fields = tile.fields ?? [];
  const now = useNow(MINUTE_MS);
  if (rows.length === 0) return <p className={wholeRows.none}>{messages.queueEmpty()}</p>;
  const lead = leadOf(fields, rows);
  const columns = fields.map((field, index) => {
    if (index === lead) return "minmax(0, 1fr)";
    return isNumericField(field) ? "max-content" : "fit-content(34%)";
  });
  return (
    <ol
      className={`${wholeRows.rows} ${classes.queue}`}
      style={{ "--columns": columns.join(" ") || "1fr", "--lines": shown } as CSSProperties}
    >
      {rows.map((row) => {
        const sign = row.alert && <AlertShape colour={row.alert.colour} />;
        return (
          <li key={String(row.key)}>
            {fields.length === 0 && <Lead sign={sign} text={row.label} />}
            {fields.map((field, index) =>
              index === lead ? (
                <Lead key={field.name} sign={sign} text={textOf(field, row)} />
              ) : (
                <Cell key={field.name} {...{ field, row, now }} />
              ),
            )}
          </li>
        );
      })}
    </ol>
  );
}

const textOf = (field: ShownField, { values, texts }: TileRow) =>
  cellText(field, values?.[field.name], texts?.[field.name]);

/** The text field with the longest texts, usually a title. */
function leadOf(fields: readonly ShownField[], rows: readonly TileRow[]): number {
  const lengths = fields.map((field) =>
    /text/i.test(field.type) ? rows.reduce((sum, row) => sum + textOf(field, row).length, 1) : 0,
  );
  return Math.max(lengths.indexOf(Math.max(...lengths)), 0);
}

/** Numbers are never truncated, because a truncated number is a wrong number. */
function isNumericField({ type }: ShownField): boolean {
  return isNumeric(kindOfType[type as FieldType]);
}

function Lead({ sign, text }: { sign: ReactNode; text: string }) {
  return (
    <span dir="auto" className={classes.lead}>
      {sign}
      {text}
    </span>
  );
}

function Cell({ field, row, now }: { field: ShownField; row: TileRow; now: number }) {
  const value = row.values?.[field.name];
  if (field.type === "timestamp" && typeof value === "string") {
    return <span className={classes.age}>{spanText(Math.abs(now - Date.parse(value)))}</span>;
  }
  const text = textOf(field, row);
  if (isNumericField(field)) return <span className={classes.age}>{text}</span>;
  if (field.type !== "select" || text === "") return <span className={classes.more}>{text}</span>;
  const style = { "--part": seriesColour(field, value ?? null, GREY) } as CSSProperties;
  return (
    <span className={classes.option} style={style}>
      {text}
    </span>
  );
}
