import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmInstall } from "./npm-install.mjs";
import { withLock } from "./with-lock.mjs";

/** The inputs of the installed packages: the lock file and the machine. */
function fingerprint(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  const machine = `${process.platform}-${process.arch}`;
  return createHash("sha256").update(lock).update(machine).digest("hex");
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Whether somebody ran `npm ci` by hand: npm records what it installed in a lock file of its own. */
function isInstalledByHand(root) {
  const noted = read(join(root, "node_modules", ".package-lock.json"));
  if (noted === "") return false;
  const installed = JSON.parse(noted).packages;
  const wanted = JSON.parse(read(join(root, "package-lock.json"))).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" || entry.optional || installed[path]?.integrity === entry.integrity,
  );
}

/** A linked node_modules (a second work tree) is checked at its real path. */
function isLinked(root) {
  return (
    lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  );
}

/**
 * Installs node_modules as in package-lock.json. Silent if it is current. Without a lock file, as in the
 * container image, the packages are used as they are.
 */
export async function ensurePackages(root, node, signal) {
  if (!existsSync(join(root, "package-lock.json"))) return;
  const stamp = join(root, "node_modules", ".watchfloor-stamp");
  const wanted = fingerprint(root);
  const isFresh = () => read(stamp) === wanted;
  if (isFresh() || isLinked(root)) return;
  await withLock(
    root,
    async () => {
      if (isFresh()) return;
      if (!isInstalledByHand(root)) {
        rmSync(stamp, { force: true });
        await npmInstall(root, node, "Installing packages …", signal);
      }
      writeFileSync(stamp, wanted);
    },
    signal,
  );
}
