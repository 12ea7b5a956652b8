import type { ReactNode } from "react";
import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import type { Freshness } from "../../../shared/protocol/freshness.ts";
import { ActivityFace } from "./faces/activity-face.tsx";
import { BreakdownFace } from "./faces/breakdown-face.tsx";
import { ClockFace } from "./faces/clock-face.tsx";
import type { FaceProps } from "./faces/face-props.ts";
import { LightsFace } from "./faces/lights-face.tsx";
import { NumberFace } from "./faces/number-face.tsx";
import { ProgressFace } from "./faces/progress-face.tsx";
import { QueueFace } from "./faces/queue-face.tsx";
import { TextFace } from "./faces/text-face.tsx";
import { TrendFace } from "./faces/trend-face.tsx";
import { AlertMark, AlertShape } from "./parts/alert-mark.tsx";
import { QrMark } from "./parts/qr-mark.tsx";
import { StateNote } from "./parts/state-note.tsx";
import { TileBoundary } from "./parts/tile-boundary.tsx";
import classes from "./tile-face.module.css";
import type { Room } from "./tile-room.ts";
import { figureText, unitOf } from "./tile-text.ts";

const SHORT_FIGURE_CHARACTERS = 3;

interface Props {
  tile: ShownTile;
  /** Its part of the board's frame; undefined until there is one, and for clocks and texts. */
  frame: TileFrame | undefined;
  fresh?: Freshness;
  /** How large the tile is, where that is known: lists choose their columns by it. */
  room?: Room | undefined;
}

/**
 * A tile: title, alert, figures, and what there is to say about them. It fills its place, whatever the
 * size; how large its text is at most says `--board-label` (a wall: 4.7 % of the screen; a page: its own).
 * Stands within an element of class `wf-tiles`, which says the colours (tiles.css).
 */
export function TileFace({ tile, frame, fresh = "live", room }: Props) {
  const isStill = tile.kind === "clock" || tile.kind === "text";
  const alert = frame?.alert ?? null;
  const isBeside = !tile.qr && isShort(tile, frame);
  const mark = alert && <AlertMark alert={alert} isBeside={isBeside} hasShape={!tile.title} />;
  const isFlashing = alert?.flash === true && !alert.acknowledged && fresh !== "lost";
  return (
    <section
      className={classes.tile}
      aria-label={tile.title || undefined}
      data-tile={tile.id}
      data-kind={tile.kind}
      data-state={isStill ? "ok" : (frame?.state ?? "waiting")}
      data-fresh={isStill ? "live" : fresh}
      data-colour={alert?.colour}
      data-flash={isFlashing || undefined}
    >
      <div className={classes.inside}>
        <div className={classes.column}>
          {(tile.title || (mark && !isBeside)) && (
            <header className={classes.head}>
              <h2 className={classes.title}>{tile.title}</h2>
              {isBeside ? alert && <AlertShape colour={alert.colour} /> : mark}
            </header>
          )}
          <div className={classes.body}>
            <TileBoundary of={frame} instead={<Blank text="Can't be drawn" />}>
              <Face tile={tile} frame={frame} mark={isBeside && mark} room={room} />
            </TileBoundary>
          </div>
          {!isStill && <StateNote tile={tile} frame={frame} />}
        </div>
        {tile.qr && tile.address && <QrMark address={tile.address} />}
      </div>
    </section>
  );
}

/** Few digits leave room beside them. */
function isShort(tile: ShownTile, frame: TileFrame | undefined): boolean {
  if (tile.kind !== "number") return false;
  const text = figureText(tile, frame?.value) + unitOf(tile);
  return text.length <= SHORT_FIGURE_CHARACTERS;
}

function Face({ tile, frame, mark, room }: Omit<Props, "fresh"> & { mark: ReactNode }) {
  if (tile.kind === "clock") return <ClockFace tile={tile} />;
  if (tile.kind === "text") return <TextFace text={tile.text ?? ""} />;
  if (!frame || frame.state === "waiting") return <Blank text="…" />;
  if (frame.state === "suppressed" || frame.state === "hidden") return <Blank text="–" />;
  if (frame.state === "failed" && !holdsFigures(frame)) return <Blank text="–" />;
  const Kind = faces[tile.kind];
  return <Kind tile={tile} frame={frame} mark={mark} room={room} />;
}

const faces: Record<
  Exclude<ShownTile["kind"], "clock" | "text">,
  (props: FaceProps) => ReactNode
> = {
  number: NumberFace,
  trend: TrendFace,
  breakdown: BreakdownFace,
  queue: QueueFace,
  lights: LightsFace,
  progress: ProgressFace,
  activity: ActivityFace,
};

function holdsFigures({ value, rows, series }: TileFrame): boolean {
  return value !== undefined || rows !== undefined || series !== undefined;
}

function Blank({ text }: { text: string }) {
  return (
    <p className={classes.blank} aria-hidden="true">
      {text}
    </p>
  );
}
