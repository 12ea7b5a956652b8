import { type CSSProperties, useSyncExternalStore } from "react";
import { ageOf, type Moment, serverTime } from "../../../../shared/protocol/freshness.ts";
import { setClockOffset, useNow } from "../../tiles/tile-clock.ts";
import { WallBoard } from "../../tiles/wall-board.tsx";
import { driftAt, isDim } from "../core/care.ts";
import type { Playing } from "../core/player-state.ts";
import { IdentifyOverlay } from "./identify-overlay.tsx";
import { TruthBar } from "./truth-bar.tsx";
import { useSiren } from "./use-siren.ts";

/** A board, full screen, with the bar that says how true it is. */
export function PlayScreen({ state, moment }: { state: Playing; moment: () => Moment }) {
  useNow();
  const { program, current, isConnected } = state;
  const screen = useScreen();
  const at = moment();
  const truth = ageOf(current?.proof ?? null, at, program.staleMs);
  if (current) setClockOffset(serverTime(current.proof, at) - at.wall);
  const [x, y] = driftAt(at.wall);
  const isMute = program.muted || truth.freshness === "lost";
  useSiren(isMute ? null : (current?.tiles ?? null));
  return (
    <main
      className="play wf-tiles"
      data-theme={current?.board.theme ?? "dark"}
      data-fresh={truth.freshness}
      data-dim={isDim(program.dim, new Date(at.wall)) || undefined}
      style={{ "--drift-x": x, "--drift-y": y } as CSSProperties}
    >
      <div className="play-board">
        {current ? (
          <WallBoard
            board={current.board}
            frame={current}
            fresh={truth.freshness}
            screen={screen}
            empty="This board has no tiles yet. Add some in the console under Wallboards."
          />
        ) : (
          <Nothing state={state} />
        )}
      </div>
      <TruthBar
        program={program}
        board={current?.board ?? null}
        asOf={current?.proof.asOf ?? null}
        truth={truth}
        isConnected={isConnected}
        isDegraded={state.isDegraded}
      />
      <IdentifyOverlay program={program} now={current ? serverTime(current.proof, at) : at.wall} />
    </main>
  );
}

function Nothing({ state: { isConnected, refused, program } }: { state: Playing }) {
  const text = !isConnected
    ? "Waiting for the server. Reconnecting automatically."
    : refused > 0 || program.boards.length === 0
      ? "None of this display's boards can be shown. Choose one in the console under Displays."
      : "Fetching the board …";
  return (
    <div className="door">
      <p className="door-lead" role="status">
        {text}
      </p>
    </div>
  );
}

/** How the screen stands. */
function useScreen(): "landscape" | "portrait" {
  return useSyncExternalStore(onResize, () =>
    innerWidth >= innerHeight ? "landscape" : "portrait",
  );
}

function onResize(listener: () => void): () => void {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
}
