import { createRoot } from "react-dom/client";
import { elapsedMs } from "../../../shared/protocol/freshness.ts";
import { displayMessages as messages } from "../messages/en/display.ts";
import { LANGUAGE_KEY, startLanguage } from "../messages/start-language.ts";
import { systemClock } from "../sync/clock.ts";
import { SocketConnection } from "../transport/socket-connection.ts";
import { browserStorage, readFromBrowser } from "../transport/storage/browser-storage.ts";
import { createDisplayStorage } from "./core/display-storage.ts";
import { ownBuild } from "./core/own-build.ts";
import { Player } from "./core/player.ts";
import { PlayerUpdater } from "./core/player-updater.ts";
import { measureMachine } from "./machine/measure.ts";
import { registerServiceWorker } from "./machine/service-worker.ts";
import { holdWakeLock } from "./machine/wake-lock.ts";
import { DisplayApp } from "./view/display-app.tsx";
import "./view/display.css";
import { displayWire } from "./wire/display-wire.ts";

/** The display's page, without the console's libraries. It runs unattended for weeks. */

const moment = () => ({ wall: Date.now(), steady: performance.now() });
const build = ownBuild(document);
const loaded = moment();
const reload = () => {
  player.saveWallboards();
  location.reload();
};

const updater = new PlayerUpdater({
  clock: systemClock,
  own: build,
  uptimeMs: () => elapsedMs(loaded, moment()),
  storage: browserStorage("session"),
  reload,
});
const storage = createDisplayStorage(browserStorage());
const player = new Player({
  transport: new SocketConnection({ as: "display" }, displayWire),
  storage,
  readProgram: (body) => displayWire.readMessage("display", body),
  updater,
  clock: systemClock,
  moment,
  measure: () => measureMachine(build),
  onOutdated: reload,
});

addEventListener("online", () => player.reconnectNow());
document.addEventListener("visibilitychange", () => player.reconnectNow());
addEventListener("pagehide", () => player.saveWallboards());
holdWakeLock();
registerServiceWorker();
player.start();

const root = document.getElementById("wall");
if (!root) throw new Error("The page has no #wall.");
/** Displays are unattended: after a rendering error the stored wallboards are cleared and the page reloads. */
const RELOAD_AFTER_ERROR_MS = 30_000;
const onUncaughtError = () => {
  storage.clear();
  root.textContent = messages.failed();
  setTimeout(() => location.reload(), RELOAD_AFTER_ERROR_MS);
};
const render = () =>
  createRoot(root, { onUncaughtError }).render(<DisplayApp player={player} moment={moment} />);
startLanguage(readFromBrowser(LANGUAGE_KEY)).then(render, render);
