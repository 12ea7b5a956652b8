// Covers: server/bootstrap docs/guides/deploy
import {
  type ChildProcess,
  execFileSync,
  type StdioOptions,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { freePort } from "../provision/free-port.ts";
import { diskFolder, type TempFolder } from "../provision/temp-folder.ts";
import { type ImageTree, makeImageTree } from "./image-tree.ts";

/** An account that owns none of the image's files, as the image's user owns none. Only root can become it. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const owner = { email: "owner@example.com", password: "correct horse battery" };

let folder: TempFolder;
let image: ImageTree;
let server: ChildProcess;
let environment: Record<string, string>;
let output = "";

/** As a container with a read-only root: only the volumes of docker-compose.yml can be written to. */
const readOnlyRoot = `
set -e
for part in "$1" "$1/data" "$1/tmp"; do mount --bind "$part" "$part"; done
mount -o remount,bind,ro "$1"
mount -o remount,bind,ro /
shift
cd "$1"
shift
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"`;
/** Only root may have mounts of its own, and not in every container. */
const hasMounts =
  nobody.uid !== undefined && spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Runs a command in the image as its user, with no more in the environment than a container has. */
function run([name = "", ...args]: readonly string[]): ChildProcess {
  const path = `${image.bin}:/usr/bin:/bin`;
  const env = { ...image.environment, PATH: path, ...environment };
  const file = ["node", "watchfloor"].includes(name) ? join(image.bin, name) : name;
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  if (!hasMounts) return spawn(file, args, { cwd: image.app, env, ...nobody, stdio });
  const isolated = ["sh", "-c", readOnlyRoot, "sh", folder.path, image.app, file, ...args];
  return spawn("unshare", ["--mount", ...isolated], { env, stdio });
}

/** A script of package.json, as `npm run` runs it. */
async function npmRun(script: string, ...args: string[]) {
  const { scripts } = JSON.parse(readFileSync(join(image.app, "package.json"), "utf8"));
  return outcome(run(["sh", "-c", `${scripts[script]} "$@"`, "sh", ...args]));
}

async function outcome(child: ChildProcess) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += String(chunk);
    });
  }
  const [code] = await once(child, "close");
  return { code, text };
}

/** The step of the image's build that runs as its user: what it has written is then root's. */
function compileAsUser(): void {
  const compiled = image.environment.NODE_COMPILE_CACHE ?? "";
  const [name = "", ...args] = image.compile;
  mkdirSync(compiled, { recursive: true });
  if (nobody.uid) chownSync(compiled, nobody.uid, nobody.gid);
  const env = { NODE_COMPILE_CACHE: compiled };
  execFileSync(join(image.bin, name), args, { cwd: image.app, env, ...nobody, stdio: "ignore" });
  if (nobody.uid) execFileSync("chown", ["-R", "0:0", compiled]);
  execFileSync("chmod", ["-R", "a+rX", compiled]);
}

beforeAll(async () => {
  folder = await diskFolder();
  chmodSync(folder.path, 0o755);
  image = makeImageTree(folder.path);
  const [data, temporary] = [join(folder.path, "data"), join(folder.path, "tmp")];
  for (const writable of [data, temporary]) {
    mkdirSync(writable, { mode: 0o700 });
    if (nobody.uid) chownSync(writable, nobody.uid, nobody.gid);
  }
  environment = {
    DATA_DIR: data,
    TMPDIR: temporary,
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    WATCHFLOOR_OWNER_EMAIL: owner.email,
    WATCHFLOOR_OWNER_PASSWORD: owner.password,
    WATCHFLOOR_TEMPLATE: "service-desk",
  };
  compileAsUser();
  server = run(image.command);
  cleanUpAtExit(() => killNow(server.pid));
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  while (server.exitCode === null && !output.includes("Watchfloor is running on")) await sleep(50);
});

afterAll(async () => {
  const ended = once(server, "exit");
  if (server.exitCode === null && server.kill("SIGTERM")) await ended;
  folder.drop();
});

const url = () => `http://127.0.0.1:${environment.PORT}`;

describe("the container image", () => {
  it("starts as a user who may write to none of its files, with its own Postgres", async () => {
    expect(output).toContain("Watchfloor is running on");
    expect((await fetch(`${url()}/readyz`)).status).toBe(200);
    expect(await (await fetch(url(), { headers: { accept: "text/html" } })).text()).toContain(
      "<title>Watchfloor",
    );
  });

  it("has the server compiled, so that a start does not load a compiler", async () => {
    const look = "process.moduleLoadList.some((name) => name.includes('amaro'))";
    const load =
      "await import('./server/start-command.ts'); await import('./server/start-server.ts')";
    const script = `${load}; console.log("compiler:", ${look})`;
    const { text } = await outcome(run(["node", "--input-type=module", "-e", script]));
    expect(text).toContain("compiler: false");
  });

  it("has the command watchfloor on its path", async () => {
    const { code, text } = await outcome(run(["watchfloor", "--help"]));
    expect(text).toContain("watchfloor <command>");
    expect(code).toBe(0);
  });

  it("can write to none of its files", async () => {
    const { code, text } = await outcome(run(["sh", "-c", "touch package.json shared/new"]));
    // Without root the tests own the files.
    if (nobody.uid) expect(text).toMatch(hasMounts ? /Read-only file system/ : /Permission denied/);
    expect(code === 0).toBe(nobody.uid === undefined);
  });

  it("exports records", async () => {
    const credentials = ["--email", owner.email, "--password", owner.password];
    const exported = ["export", "--table", "incidents", "--fields", "number", "-"];
    const { code, text } = await outcome(run(["watchfloor", ...exported, ...credentials]));
    expect(text).toContain("INC");
    expect(code).toBe(0);
  });

  it("runs the model command", async () => {
    const { code, text } = await npmRun("model", "export");
    expect(text).toContain('"name": "incidents"');
    expect(code).toBe(0);
  });

  it("finds its faults, and makes a backup", async () => {
    const { text } = await outcome(run(["watchfloor", "doctor"]));
    expect(text).toMatch(/\d faults, \d warnings/);
    const file = join(String(environment.DATA_DIR), "now.backup");
    expect(await outcome(run(["watchfloor", "backup", file]))).toMatchObject({ code: 0 });
  });

  it("runs the import command", async () => {
    const file = join(folder.path, "groups.csv");
    writeFileSync(file, "name\nNight shift\n");
    const { code, text } = await npmRun("import", "--table", "groups", file);
    expect(text).toContain("1 rows: 1 created");
    expect(code).toBe(0);
  });
});
