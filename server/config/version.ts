import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The release, as package.json has it. Strangers may read it, so it does not say which build this is. */
export const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;

const SHORT_COMMIT = 10;
const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * The release and the commit that this process was started from, such as `0.1.0+96a3fe7445`: two builds of one release differ by it.
 * `0.1.0+unknown` where the folder is no git checkout, and no image that was built with its commit.
 */
export const buildVersion = `${version}+${commitOf(root)?.slice(0, SHORT_COMMIT) ?? "unknown"}`;

/**
 * The commit that is checked out in a folder, or null. An image has no git folder, but a file with the commit that it was built from
 * (server/Dockerfile). Git's files are read and not its program: that need not be installed, and refuses a checkout of another user.
 */
export function commitOf(folder: string): string | null {
  const commit = checkedOut(folder) ?? textOf(join(folder, "commit"));
  return commit !== null && COMMIT.test(commit) ? commit : null;
}

function checkedOut(folder: string): string | null {
  try {
    const git = gitFolder(folder);
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    return ref === undefined ? head : commitOfRef(git, ref);
  } catch {
    return null;
  }
}

/** A worktree has a file in place of the folder, which names it. */
function gitFolder(folder: string): string {
  const git = join(folder, ".git");
  if (statSync(git).isDirectory()) return git;
  const [, path = ""] = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8")) ?? [];
  return resolve(folder, path);
}

/** Branches are in files of their own or packed in one, and those of a worktree beside the other ones of its repository. */
function commitOfRef(git: string, ref: string): string | null {
  const common = resolve(git, textOf(join(git, "commondir")) ?? "");
  const packed = textOf(join(common, "packed-refs"))?.split("\n") ?? [];
  return (
    textOf(join(git, ref)) ??
    textOf(join(common, ref)) ??
    packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ??
    null
  );
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
