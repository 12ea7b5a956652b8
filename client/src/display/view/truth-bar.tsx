import type { DisplayProgram } from "../../../../shared/protocol/displays.ts";
import type { ShownBoard } from "../../../../shared/protocol/frame.ts";
import { timeText } from "../../tiles/tile-text.ts";
import { lengthText, type Truth } from "../core/truth.ts";

interface Props {
  program: DisplayProgram;
  board: ShownBoard | null;
  asOf: number | null;
  truth: Truth;
  isConnected: boolean;
  isDegraded: boolean;
}

/** What can be said of the figures, always in the same place, in words and with a shape of its own. */
export function TruthBar({ program, board, asOf, truth, isConnected, isDegraded }: Props) {
  const isUneasy = isDegraded && truth.freshness === "live";
  const shown = isUneasy ? "behind" : truth.freshness;
  const isTurning = program.boards.length > 1 && program.showing === null;
  return (
    <footer className="truth" data-fresh={shown}>
      <span className="truth-name">{board?.name ?? program.name}</span>
      {isTurning && board && <Turn boards={program.boards} current={board.id} />}
      <span className="truth-words" role="status" data-truth={truth.freshness}>
        <Shape freshness={shown} />
        {truthWords(truth, asOf, isConnected, board?.zone ?? "UTC")}
        {isUneasy && " — changes may come late"}
      </span>
    </footer>
  );
}

/** The sentence; figures that are not those of now are named by the time they are of. */
export function truthWords(
  { freshness, ageMs }: Truth,
  asOf: number | null,
  isConnected: boolean,
  zone: string,
): string {
  if (freshness === "live") return "Correct as of now";
  if (freshness === "behind") return `${Math.round(ageMs / 1_000)} s behind`;
  const what = isConnected ? "Server is behind" : "Connection lost";
  if (asOf === null) return `${isConnected ? "No figures yet" : what}`;
  return `${what} ${lengthText(ageMs)} — figures of ${figuresOf(asOf, ageMs, zone)}`;
}

const DAY_MS = 86_400_000;

/** The day is named where it may be another one. */
function figuresOf(asOf: number, ageMs: number, zone: string): string {
  const time = timeText(asOf, zone);
  if (ageMs < DAY_MS / 2) return time;
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: zone });
  return `${day.format(asOf)}, ${time}`;
}

function Turn({ boards, current }: { boards: readonly string[]; current: string }) {
  return (
    <span className="truth-turn" aria-hidden="true">
      {boards.map((id) => (
        <i key={id} data-current={id === current || undefined} />
      ))}
    </span>
  );
}

/** A disc, a half disc, a crossed triangle: told apart without colour. */
function Shape({ freshness }: Pick<Truth, "freshness">) {
  const path = {
    live: "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18Z",
    behind: "M12 3a9 9 0 1 1 0 18Z",
    lost: "M12 2 23 21H1Z",
  }[freshness];
  return (
    <svg className="truth-shape" viewBox="0 0 24 24" aria-hidden="true">
      {freshness === "behind" && <circle cx="12" cy="12" r="8" />}
      <path d={path} />
    </svg>
  );
}
