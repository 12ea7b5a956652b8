import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";
import { repositoryRoot } from "../../e2e/suite/run-tool.ts";
import { buildVersion, commitOf, version } from "./version.ts";

const folder = await tempFolder();
afterAll(() => folder.drop());

// Newer versions of git may store branches in another form by default.
const env = { ...process.env, GIT_DEFAULT_REF_FORMAT: "files" };
const author = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
const git = (at: string, ...args: string[]) =>
  execFileSync("git", [...author, ...args], { cwd: at, encoding: "utf8", env }).trim();

describe("the build", () => {
  it("is the release and the commit of this checkout, or says that none is known", () => {
    const commit = commitOf(repositoryRoot);
    expect(buildVersion).toBe(`${version}+${commit?.slice(0, 10) ?? "unknown"}`);
    expect(commitOf(folder.path)).toBeNull();
  });

  it("is in an image the commit that the image was built from, if it was named", () => {
    const app = join(folder.path, "app");
    mkdirSync(app);
    const commit = "96a3fe7445".padEnd(40, "0");
    for (const [stamp, known] of [
      [commit, commit],
      [`${commit}\n`, commit],
      ["", null],
      ["main", null],
    ] as const) {
      writeFileSync(join(app, "commit"), stamp);
      expect(commitOf(app), stamp).toBe(known);
    }
    const dockerfile = readFileSync(join(repositoryRoot, "server/Dockerfile"), "utf8");
    expect(dockerfile).toMatch(/^ARG COMMIT=\nRUN echo "\$COMMIT" > commit$/m);
    const compose = readFileSync(join(repositoryRoot, "docker-compose.yml"), "utf8");
    expect(compose).toMatch(/^ {4}args:\n {6}COMMIT: /m);
  });

  it("differs by commit: of a branch, packed or not, of a worktree, and without a branch", () => {
    const clone = join(folder.path, "clone");
    mkdirSync(clone);
    const commit = (at: string) => git(at, "commit", "--quiet", "--allow-empty", "-m", "Begin");
    const head = (at: string) => git(at, "rev-parse", "HEAD");
    git(clone, "init", "--quiet");
    expect(commitOf(clone), "without a commit").toBeNull();
    commit(clone);
    const first = commitOf(clone);
    expect(first).toBe(head(clone));
    git(clone, "pack-refs", "--all");
    expect(commitOf(clone), "packed").toBe(first);
    const worktree = join(folder.path, "worktree");
    git(clone, "worktree", "add", "--quiet", "-b", "team/other", worktree);
    commit(worktree);
    expect(commitOf(worktree)).toBe(head(worktree));
    expect(commitOf(worktree)).not.toBe(first);
    expect(commitOf(clone), "the first checkout").toBe(first);
    git(clone, "checkout", "--quiet", "--detach");
    expect(commitOf(clone), "detached").toBe(first);
  });
});
