import { createRoot } from "react-dom/client";
import { elapsedMs } from "../../../shared/protocol/freshness.ts";
import { systemClock } from "../sync/clock.ts";
import { SocketLine } from "../transport/socket-line.ts";
import { createMemory } from "./core/memory.ts";
import { ownBuild } from "./core/own-build.ts";
import { Player } from "./core/player.ts";
import { Renewal } from "./core/renewal.ts";
import { keepAwake } from "./machine/keep-awake.ts";
import { measureMachine } from "./machine/measure.ts";
import { keepShell } from "./machine/shell-keeper.ts";
import { DisplayApp } from "./view/display-app.tsx";
import "./view/display.css";
import { wallWire } from "./wire/wall-wire.ts";

/** The player: a page of its own, without the console's libraries. It is left alone for weeks. */

const moment = () => ({ wall: Date.now(), steady: performance.now() });
const build = ownBuild(document);
const loaded = moment();
const reload = () => {
  player.remember();
  location.reload();
};

const renewal = new Renewal({
  clock: systemClock,
  own: build,
  uptimeMs: () => elapsedMs(loaded, moment()),
  storage: () => sessionStorage,
  reload,
});
const memory = createMemory(() => localStorage);
const player = new Player({
  transport: new SocketLine({ as: "display" }, wallWire),
  memory,
  readProgram: (body) => wallWire.readMessage("display", body),
  renewal,
  clock: systemClock,
  moment,
  measure: () => measureMachine(build),
  onOutdated: reload,
});

addEventListener("online", () => player.hurry());
document.addEventListener("visibilitychange", () => player.hurry());
addEventListener("pagehide", () => player.remember());
keepAwake();
keepShell();
player.start();

const root = document.getElementById("wall");
if (!root) throw new Error("The page has no #wall.");
/** Nobody is there to press a key: what can't be drawn is forgotten, and the page begins anew. */
const BEGIN_ANEW_MS = 30_000;
const onUncaughtError = () => {
  memory.forget();
  root.textContent = "This screen could not be drawn. It begins anew by itself.";
  setTimeout(() => location.reload(), BEGIN_ANEW_MS);
};
createRoot(root, { onUncaughtError }).render(<DisplayApp player={player} moment={moment} />);
