import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../../e2e/provision/temp-folder.ts";
import { isAlive } from "../store/embedded/postmaster-file.ts";

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

  it("stops the command when npm, which started it, was killed", async () => {
    const script = `
      process.on("SIGTERM", () => process.exit(0));
      setInterval(() => {}, 1000);
      console.log(process.pid);
    `;
    put("server/main.ts", script);
    const program = join(clone.path, "server", "bootstrap", "run.mjs");
    const env = { PATH: process.env.PATH, npm_lifecycle_event: "start" };
    const command = [process.execPath, program, "start"].map((part) => `'${part}'`).join(" ");
    // As npm does: a program that starts a shell that starts us.
    const source = `require("child_process").spawn("sh", ["-c", ${JSON.stringify(`${command}; true`)}], {stdio: "inherit"})`;
    put("node_modules/.package-lock.json", `{"packages":{"node_modules/a":{"integrity":"1"}}}`);
    const starter = spawn(process.execPath, ["-e", source], { env, stdio: ["ignore", "pipe", 2] });
    const [line] = (await once(starter.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    starter.kill("SIGKILL");
    while (await isAlive(Number(line.toString()))) await sleep(50);
  });
});
