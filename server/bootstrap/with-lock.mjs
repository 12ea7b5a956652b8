import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Lets one start at a time install and build in a clone. The lock is a file with the holder's process id,
 * touched while held; it counts as abandoned when that process is gone or stopped touching it.
 */
const touchMs = 2000;
const abandonedMs = 30_000;
const pollMs = 200;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function tryTake(path) {
  try {
    const file = openSync(path, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

function isAbandoned(path) {
  try {
    const age = Date.now() - statSync(path).mtimeMs;
    const pid = Number(readFileSync(path, "utf8"));
    return age > abandonedMs || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

/** Removes an abandoned lock; one that was taken again in between is put back. */
function removeAbandoned(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (!isAbandoned(aside)) linkSync(aside, path);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

/** Runs `work` while no other process does so in the same clone. `signal` ends the waiting. */
export async function withLock(root, work, signal) {
  const folder = join(root, ".cache");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "bootstrap.lock");
  while (!tryTake(path)) {
    if (isAbandoned(path)) removeAbandoned(path);
    else await sleep(pollMs, undefined, { signal });
  }
  const touch = setInterval(() => utimesSync(path, new Date(), new Date()), touchMs);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    rmSync(path, { force: true });
  }
}
