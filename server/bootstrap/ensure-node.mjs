import { existsSync } from "node:fs";
import { join } from "node:path";
import { npmInstall } from "./npm-install.mjs";
import { withLock } from "./with-lock.mjs";

/** The oldest Node that runs TypeScript and everything else here. */
const oldestMajor = 24;
const systems = { linux: "linux", win32: "win" };

/** The path of npm's Node for this machine; null if npm has none (macOS). */
function bundledNode(folder) {
  const system = systems[process.platform];
  const file = process.platform === "win32" ? "node.exe" : "node";
  return system && join(folder, "node_modules", `node-${system}-${process.arch}`, "bin", file);
}

/**
 * Returns the path of a Node that is new enough: the running one if it is, else one from npm, which is
 * installed into `folder` if it is missing. Installed separately and first, so that npm then runs on it too:
 * on an older Node npm would choose older packages.
 */
export async function ensureNode(folder, root, signal) {
  if (Number.parseInt(process.versions.node, 10) >= oldestMajor) return process.execPath;
  const node = bundledNode(folder);
  if (node && existsSync(node)) return node;
  if (node) {
    await withLock(
      root,
      async () => {
        if (existsSync(node)) return;
        await npmInstall(folder, process.execPath, `Getting Node ${oldestMajor} …`, signal);
      },
      signal,
    );
    if (existsSync(node)) return node;
  }
  throw new Error(
    `Watchfloor needs Node ${oldestMajor} or newer; this is ${process.versions.node}, and npm has no build of Node for ${process.platform}-${process.arch}. Install it from https://nodejs.org and start again.`,
  );
}
