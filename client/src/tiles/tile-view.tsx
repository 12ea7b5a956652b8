import { Component, type ReactNode } from "react";
import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import type { Freshness } from "../../../shared/protocol/freshness.ts";
import { tilesMessages as messages } from "../messages/en/tiles.ts";
import { withGroupLabels } from "./group-label.ts";
import { AlertMark, AlertShape } from "./parts/alert-mark.tsx";
import { QrMark } from "./parts/qr-mark.tsx";
import stateNoteStyles from "./parts/state-note.module.css";
import { useNow } from "./tile-clock.ts";
import type { TileSize } from "./tile-size.ts";
import { spanText, timeText, unitOf, valueText } from "./tile-text.ts";
import classes from "./tile-view.module.css";
import { ActivityTileView } from "./views/activity-tile-view.tsx";
import { BreakdownTileView } from "./views/breakdown-tile-view.tsx";
import { ClockTileView } from "./views/clock-tile-view.tsx";
import { LightsTileView } from "./views/lights-tile-view.tsx";
import { NumberTileView } from "./views/number-tile-view.tsx";
import { ProgressTileView } from "./views/progress-tile-view.tsx";
import { QueueTileView, queueLines } from "./views/queue-tile-view.tsx";
import { TextTileView } from "./views/text-tile-view.tsx";
import type { TileViewProps } from "./views/tile-view-props.ts";
import { TrendTileView } from "./views/trend-tile-view.tsx";

const SHORT_VALUE_CHARACTERS = 3;

interface Props {
  tile: ShownTile;
  /** Its part of the wallboard's frame; undefined until the first frame, and for clocks and texts. */
  frame: TileFrame | undefined;
  fresh?: Freshness;
  /** The size of the tile, if known, by which lists choose their columns. */
  tileSize?: TileSize | undefined;
}

/**
 * A tile: title, alert, values, and a note about them. It fills its container. `--wallboard-label` is its maximum font
 * size (on a wall: 4.7 % of the screen). It needs a parent of class `wf-tiles`, whose rules are in tiles.css.
 */
export function TileView({ tile, frame, fresh = "live", tileSize }: Props) {
  const isStatic = tile.kind === "clock" || tile.kind === "text";
  const alert = frame?.alert ?? null;
  const isBeside = !tile.qr && isShort(tile, frame);
  const mark = alert && <AlertMark alert={alert} isBeside={isBeside} hasShape={!tile.title} />;
  const others = tile.kind === "queue" && frame ? queueLines(tile, frame, tileSize).others : 0;
  const isFlashing = alert?.flash === true && !alert.acknowledged && fresh !== "lost";
  return (
    <section
      className={classes.tile}
      // A browser that translates puts copies in the place of texts, which would stay as they are when the values change.
      translate="no"
      aria-label={tile.title || undefined}
      data-tile={tile.id}
      data-kind={tile.kind}
      data-state={isStatic ? "ok" : (frame?.state ?? "waiting")}
      data-fresh={isStatic ? "live" : fresh}
      data-colour={alert?.colour}
      data-flash={isFlashing || undefined}
    >
      <div className={classes.inside}>
        <div className={classes.column}>
          {(tile.title || others > 0 || (mark && !isBeside)) && (
            <header className={classes.head}>
              <h2 className={classes.title}>{tile.title}</h2>
              {others > 0 && (
                <span className={classes.others}>{messages.moreRecords({ count: others })}</span>
              )}
              {isBeside ? alert && <AlertShape colour={alert.colour} /> : mark}
            </header>
          )}
          <div className={classes.body}>
            <TileBoundary of={frame} instead={<Blank text={messages.notShown()} />}>
              <TileBody tile={tile} frame={frame} mark={isBeside && mark} tileSize={tileSize} />
            </TileBoundary>
          </div>
          {!isStatic && <StateNote tile={tile} frame={frame} />}
        </div>
        {tile.qr && tile.address && <QrMark address={tile.address} />}
      </div>
    </section>
  );
}

/** Short values leave space for the alert next to them. */
function isShort(tile: ShownTile, frame: TileFrame | undefined): boolean {
  if (tile.kind !== "number") return false;
  const text = valueText(tile, frame?.value) + unitOf(tile);
  return text.length <= SHORT_VALUE_CHARACTERS;
}

function TileBody({ tile, frame, mark, tileSize }: Omit<Props, "fresh"> & { mark: ReactNode }) {
  if (tile.kind === "clock") return <ClockTileView tile={tile} />;
  if (tile.kind === "text") return <TextTileView tile={tile} tileSize={tileSize} />;
  if (!frame || frame.state === "waiting") return <Blank text="…" />;
  if (frame.state === "suppressed" || frame.state === "hidden") return <Blank text="–" />;
  if (frame.state === "failed" && !hasValues(frame)) return <Blank text="–" />;
  const Kind = viewByKind[tile.kind];
  const worded = withGroupLabels(tile, frame);
  return <Kind tile={tile} frame={worded} mark={mark} tileSize={tileSize} />;
}

const viewByKind: Record<
  Exclude<ShownTile["kind"], "clock" | "text">,
  (props: TileViewProps) => ReactNode
> = {
  number: NumberTileView,
  trend: TrendTileView,
  breakdown: BreakdownTileView,
  queue: QueueTileView,
  lights: LightsTileView,
  progress: ProgressTileView,
  activity: ActivityTileView,
};

function hasValues({ value, rows, series }: TileFrame): boolean {
  return value !== undefined || rows !== undefined || series !== undefined;
}

function Blank({ text }: { text: string }) {
  return (
    <p className={classes.blank} aria-hidden="true">
      {text}
    </p>
  );
}

const TEN_SECONDS_MS = 10_000;

/** A note if a tile's values are missing, old or withheld. */
function StateNote({ tile, frame }: { tile: ShownTile; frame: TileFrame | undefined }) {
  const now = useNow(TEN_SECONDS_MS);
  const text = frame ? noteOf(tile, frame, now) : messages.waiting();
  if (!text) return null;
  return (
    <p className={stateNoteStyles.note} data-grave={frame?.state === "failed" || undefined}>
      {text}
    </p>
  );
}

function noteOf(tile: ShownTile, frame: TileFrame, now: number): string | null {
  const { state, asOf, changedAt } = frame;
  switch (state) {
    case "ok":
      return null;
    case "waiting":
      return messages.waiting();
    case "failed":
      if (frame.reason === "model_changed") return messages.modelChanged();
      return asOf
        ? messages.failedOlder({ time: timeText(Date.parse(asOf), tile.zone) })
        : messages.failed();
    case "silent":
      return changedAt
        ? messages.noChangeFor({ time: spanText(now - Date.parse(changedAt)) })
        : messages.noChange();
    case "suppressed":
      return messages.suppressed();
    case "hidden":
      return messages.hidden();
  }
}

interface TileBoundaryProps {
  /** The data of the children; rendering is retried when it changes. */
  of: unknown;
  instead: ReactNode;
  children: ReactNode;
}

/** An error boundary around one tile, so that a rendering error does not affect other tiles. */
class TileBoundary extends Component<TileBoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError(): { isFailed: boolean } {
    return { isFailed: true };
  }

  override componentDidUpdate(before: TileBoundaryProps): void {
    if (this.state.isFailed && before.of !== this.props.of) this.setState({ isFailed: false });
  }

  override render(): ReactNode {
    return this.state.isFailed ? this.props.instead : this.props.children;
  }
}
