import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./with-lock.mjs";

const stampName = ".watchfloor-stamp";
const ignored = /^(dist|node_modules)$|\.test\.tsx?$|\.tsbuildinfo$/;

function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (ignored.test(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The inputs of the built client: its source, what it shares with the server, and the packages. */
function fingerprint(root) {
  const folders = [join(root, "client"), join(root, "shared")];
  const files = [...folders.flatMap(filesBelow), join(root, "package-lock.json")];
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex");
}

function build(root, node, into, signal) {
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const args = ["build", "client", "--outDir", into, "--emptyOutDir", "--logLevel", "error"];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: "production" };
    const stdio = ["ignore", 2, 2];
    const child = spawn(node, [vite, ...args], { cwd: root, env, stdio, signal });
    // One that is stopped is waited for.
    child.on("error", (error) => error.name === "AbortError" || reject(error));
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error("The client could not be built.")),
    );
  });
}

/** Replaces the old build in one step, so that nobody is served half of one. */
function swap(built, dist, aside) {
  rmSync(aside, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, aside);
  renameSync(built, dist);
  rmSync(aside, { recursive: true, force: true });
}

/** Builds client/dist if it is stale. Silent if it is current, or if there is no client to build. */
export async function ensureClient(root, node, signal) {
  if (!existsSync(join(root, "client", "vite.config.ts"))) return;
  const dist = join(root, "client", "dist");
  const stamp = join(dist, stampName);
  const wanted = fingerprint(root);
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (isFresh()) return;
  await withLock(
    root,
    async () => {
      if (isFresh()) return;
      console.error("Building the client …");
      const built = join(root, ".cache", "client-next");
      await build(root, node, built, signal);
      writeFileSync(join(built, stampName), wanted);
      swap(built, dist, join(root, ".cache", "client-old"));
    },
    signal,
  );
}
