import { type CSSProperties, useEffect, useState, useSyncExternalStore } from "react";
import type { TileFrame } from "../../../../shared/protocol/frame.ts";
import { ageOf, type Moment } from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import { displayMessages as messages } from "../../messages/en/display.ts";
import { TileClock, TileClockContext, useNow } from "../../tiles/tile-clock.ts";
import { Wallboard } from "../../tiles/wallboard.tsx";
import { isDim, pixelShiftAt } from "../core/burn-in-protection.ts";
import { type Playing, serverNow } from "../core/player-state.ts";
import { FreshnessBar } from "./freshness-bar.tsx";
import { useSiren } from "./use-siren.ts";

/** A wallboard in full screen, with the freshness bar. */
export function PlayScreen({ state, moment }: { state: Playing; moment: () => Moment }) {
  useNow();
  const { program, current, alerting, isConnected } = state;
  const screen = useScreen();
  const [clock] = useState(() => new TileClock());
  const at = moment();
  const age = ageOf(current?.proof ?? null, at);
  const now = serverNow(state, at);
  useEffect(() => clock.setOffset(now - at.wall));
  const [x, y] = pixelShiftAt(at.wall);
  const isMute = program.muted || age.freshness === "lost";
  useSiren(isMute ? null : tilesOf(alerting));
  const isDimmed = isDim(program.dim, new Date(now)) && alerting.length === 0;
  return (
    <main
      className="wf-tiles play"
      data-theme={current?.board.theme ?? "dark"}
      data-fresh={age.freshness}
      data-dim={isDimmed || undefined}
      style={{ "--drift-x": x, "--drift-y": y } as CSSProperties}
    >
      <div className="play-wallboard">
        {current ? (
          <TileClockContext value={clock}>
            <Wallboard
              wallboard={current.board}
              frame={current}
              fresh={age.freshness}
              screen={screen}
              empty={messages.noTiles()}
            />
          </TileClockContext>
        ) : (
          <NoWallboard state={state} />
        )}
      </div>
      <FreshnessBar
        program={program}
        wallboard={current?.board ?? null}
        alerting={alerting.map(({ board }) => board.id)}
        asOf={current?.proof.asOf ?? null}
        age={age}
        isConnected={isConnected}
        isBlocked={state.isBlocked}
        isDegraded={state.isDegraded}
      />
      <IdentifyOverlay program={program} now={now} />
    </main>
  );
}

/** The tiles of several wallboards, which may have the same ids. */
function tilesOf(wallboards: Playing["alerting"]): Record<string, TileFrame> {
  const entries = wallboards.flatMap(({ board, tiles }) =>
    Object.entries(tiles).map(([id, tile]) => [`${board.id} ${id}`, tile] as const),
  );
  return Object.fromEntries(entries);
}

function NoWallboard({ state: { isConnected, isBlocked, refused, program } }: { state: Playing }) {
  const text = isBlocked
    ? messages.blocked({ address: liveAddress() })
    : !isConnected
      ? messages.waiting()
      : refused > 0 || program.boards.length === 0
        ? messages.noWallboards()
        : messages.loading();
  return (
    <div className="notice">
      <p className="notice-text" role="status">
        {text}
      </p>
    </div>
  );
}

/** The orientation of the screen. */
function useScreen(): "landscape" | "portrait" {
  return useSyncExternalStore(onResize, () =>
    innerWidth >= innerHeight ? "landscape" : "portrait",
  );
}

function onResize(listener: () => void): () => void {
  addEventListener("resize", listener);
  return () => removeEventListener("resize", listener);
}

/** What a network has to let pass: for the sentence to whoever runs it. */
const liveAddress = () => `${location.origin}/socket.io/`;

/** The display's name in large letters, on request from the console. */
function IdentifyOverlay({ program, now }: { program: DisplayProgram; now: number }) {
  if (program.identifyUntil === null || Date.parse(program.identifyUntil) <= now) return null;
  const pixels = (side: number) => Math.round(side * devicePixelRatio);
  return (
    <div className="identify" role="alert">
      <b>{program.name}</b>
      <span>
        {pixels(innerWidth)} × {pixels(innerHeight)}
      </span>
    </div>
  );
}
