import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../../e2e/provision/temp-folder.ts";
import { isAlive } from "../store/embedded/postmaster.ts";

/** A small clone: the real bootstrap, an npm that only records its calls, and commands of a few lines. */
let clone: TempFolder;

const npm = `
  const { appendFileSync, mkdirSync } = require("node:fs");
  setTimeout(() => {
    mkdirSync("node_modules", { recursive: true });
    appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
  }, 300);
`;

function put(path: string, text: string): void {
  const file = join(clone.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(async () => {
  clone = await tempFolder();
  const source = dirname(fileURLToPath(import.meta.url));
  const filter = (path: string) => !path.startsWith(join(source, "node"));
  cpSync(source, join(clone.path, "server", "bootstrap"), { recursive: true, filter });
  put("package.json", `{"type":"module"}`);
  put("package-lock.json", `{"packages":{"":{},"node_modules/a":{"integrity":"1"}}}`);
  put("npm/package.json", "{}");
  put("npm/npm-cli.js", npm);
});

afterEach(() => clone.drop());

function run(...args: string[]): ChildProcess {
  const program = join(clone.path, "server", "bootstrap", "run.mjs");
  const env = { PATH: process.env.PATH, npm_execpath: join(clone.path, "npm", "npm-cli.js") };
  return spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

async function outcome(child: ChildProcess): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    err += String(chunk);
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, out, err };
}

const npmCalls = () => readFileSync(join(clone.path, "npm-calls"), "utf8").trim().split("\n");

describe("the bootstrap", () => {
  it("passes the arguments on, and the exit code back", async () => {
    put("server/main.ts", "console.log(process.argv.slice(2).join());process.exit(7);");
    expect(await outcome(run("import", "--table", "incidents"))).toMatchObject({
      code: 7,
      out: "import,--table,incidents\n",
    });
  });

  it.each(["dev", "test", "proof", "bench", "replay", "lint", "format"])(
    "explains what %s does when asked for help, and installs nothing",
    async (name) => {
      const { code, out, err } = await outcome(run(name, "--help"));
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(name === "test" ? "npm test" : `npm run ${name}`);
    },
  );

  it("lists the commands if it does not know one", async () => {
    const { code, err } = await outcome(run("begin"));
    expect(code).toBe(2);
    expect(err).toContain("start, demo, doctor");
  });

  it("installs packages without install scripts, and is silent when they are there", async () => {
    put("server/main.ts", "");
    expect((await outcome(run("import"))).err).toBe("Installing packages …\n");
    expect(await outcome(run("import"))).toEqual({ code: 0, out: "", err: "" });
    expect(npmCalls()).toHaveLength(1);
    expect(npmCalls()[0]).toMatch(/^ci --ignore-scripts /);
  });

  it("installs again when the lock file changed", async () => {
    put("server/main.ts", "");
    await outcome(run("import"));
    put("package-lock.json", `{"packages":{"":{},"node_modules/a":{"integrity":"2"}}}`);
    await outcome(run("import"));
    expect(npmCalls()).toHaveLength(2);
  });

  it("uses packages that somebody installed by hand as they are", async () => {
    put("server/main.ts", "");
    const installed = `{"packages":{"node_modules/a":{"integrity":"1"}}}`;
    put("node_modules/.package-lock.json", installed);
    expect(await outcome(run("import"))).toEqual({ code: 0, out: "", err: "" });
  });

  it("installs once if three starts happen at the same time", async () => {
    put("server/main.ts", "");
    const all = await Promise.all([run("import"), run("import"), run("import")].map(outcome));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(npmCalls()).toHaveLength(1);
  });

  it("continues if the holder of the lock was killed", async () => {
    put("server/main.ts", "");
    const killed = spawn("true");
    await once(killed, "exit");
    put(".cache/bootstrap.lock", String(killed.pid));
    expect((await outcome(run("import"))).code).toBe(0);
  });

  it("hands a signal to the command and waits for it", async () => {
    const script = `
      process.on("SIGTERM", () => setTimeout(() => process.exit(3), 200));
      setInterval(() => {}, 1000);
      console.log("up");
    `;
    put("server/main.ts", script);
    const child = run("start");
    const ended = outcome(child);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(3);
  });

  /** Runs a command as npm does: a program that starts a shell that starts us. */
  function startByNpm(command: string, stdio: StdioOptions): ChildProcess {
    const program = join(clone.path, "server", "bootstrap", "run.mjs");
    const npmPath = join(clone.path, "npm", "npm-cli.js");
    const env = { PATH: process.env.PATH, npm_lifecycle_event: command, npm_execpath: npmPath };
    const line = [process.execPath, program, command].map((part) => `'${part}'`).join(" ");
    const source = `require("child_process").spawn("sh", ["-c", ${JSON.stringify(`${line}; true`)}], {stdio: "inherit"})`;
    return spawn(process.execPath, ["-e", source], { env, stdio });
  }

  it("stops the command by one signal when npm, which started it, is gone", async () => {
    // Longer than the starter is looked for, several times.
    const script = `
      let signals = 0;
      process.on("SIGTERM", () => {
        signals += 1;
        if (signals === 1) setTimeout(() => console.log(signals, "signals"), 1600).unref();
      });
      setTimeout(() => {}, 60_000);
      console.log(process.pid);
    `;
    put("server/main.ts", script);
    put("node_modules/.package-lock.json", `{"packages":{"node_modules/a":{"integrity":"1"}}}`);
    const starter = startByNpm("start", ["ignore", "pipe", 2]);
    const lines = createInterface(starter.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    starter.kill("SIGTERM");
    expect((await lines.next()).value).toBe("1 signals");
    process.kill(pid, "SIGKILL");
  });

  it("gives up the installation, and starts nothing, when npm is gone meanwhile", async () => {
    put("server/main.ts", `import { writeFileSync } from "node:fs"; writeFileSync("started", "");`);
    const slowNpm = `
      const { writeFileSync } = require("node:fs");
      writeFileSync("installing", String(process.pid));
      setTimeout(() => writeFileSync("installed", ""), 10_000);
    `;
    put("npm/npm-cli.js", slowNpm);
    const starter = startByNpm("start", ["ignore", "pipe", "ignore"]);
    const closed = once(starter, "close");
    const noted = join(clone.path, "installing");
    while (!existsSync(noted) || readFileSync(noted, "utf8") === "") await sleep(20);
    const installing = Number(readFileSync(noted, "utf8"));
    starter.kill("SIGTERM");
    // Its output is closed when the last process has ended.
    await closed;
    expect(await isAlive(installing)).toBe(false);
    for (const name of ["installed", "started"]) {
      expect(existsSync(join(clone.path, name))).toBe(false);
    }
    expect(existsSync(join(clone.path, ".cache", "bootstrap.lock"))).toBe(false);
  });

  it("leaves the command a channel that is closed when the bootstrap was killed", async () => {
    put(
      "server/main.ts",
      `process.on("disconnect", () => console.log("alone"));console.log("up");`,
    );
    const child = run("start");
    const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("up");
    child.kill("SIGKILL");
    expect((await lines.next()).value).toBe("alone");
  });

  it("installs without starting anything, and links the Node to use for a service", async () => {
    put("server/main.ts", `console.log("started")`);
    expect(await outcome(run("install"))).toMatchObject({ code: 0, out: "" });
    expect(npmCalls()).toHaveLength(1);
    expect(readlinkSync(join(clone.path, ".cache", "node"))).toBe(process.execPath);
    expect((await outcome(run("install"))).code).toBe(0);
  });
});
