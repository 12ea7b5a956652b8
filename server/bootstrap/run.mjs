#!/usr/bin/env node
/**
 * The entry point of every command: `node server/bootstrap/run.mjs <command> [arguments]`, as package.json's
 * scripts call it. It needs only Node 18 and npm, installs what is missing or stale (a newer Node, the
 * packages, the built client), and then runs the command in the foreground. If everything is current it adds
 * about 50 ms.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureClient } from "./ensure-client.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tsc = "node_modules/typescript/bin/tsc";
const biome = "node_modules/@biomejs/biome/bin/biome";
const vite = "node_modules/vite/bin/vite.js";
const program = "server/main.ts";

/** The commands of server/main.ts, for those who run an installation. */
const products = Object.fromEntries(
  [
    ...["start", "demo", "doctor", "user", "token", "model", "import", "export"],
    ...["backup", "restore", "move", "erase", "--help"],
  ].map((name) => [
    name,
    {
      client: name === "start" || name === "demo",
      hasHelp: true,
      steps: [[program, name]],
    },
  ]),
);

/**
 * The Node programs of each command: steps one after the other (or together), arguments go to the last one.
 * With `client`, the built client is ensured first, unless the argument `withoutClient` is given. `--help` is
 * answered with `help`, or by the program (`hasHelp`).
 */
const commands = {
  ...products,
  install: {
    client: true,
    help: "npm run watchfloor -- install     installs and builds what is missing or stale, and links .cache/node to the Node to use",
    steps: [],
  },
  dev: {
    help: "npm run dev     the server, restarted on a change, and the client with hot reload",
    together: true,
    steps: [
      ["--watch", program, "start"],
      [vite, "client"],
    ],
  },
  test: {
    client: true,
    withoutClient: "--quick",
    help: "npm test [-- <path> …]     the tests of every promise, or the test files whose path contains one of the words; --quick: the checks and the core",
    steps: [["e2e/run-tests.ts"]],
  },
  proof: {
    client: true,
    help: "npm run proof [-- <part> …]     what is too long for npm test, in parts of at most 30 minutes; --list names them",
    steps: [["e2e/run-proof.ts"]],
  },
  bench: {
    client: true,
    help: "npm run bench [-- <name> …]     every bench, or those named (docs/guides/speed.md)",
    steps: [["bench/main.ts"]],
  },
  replay: {
    help: `npm run replay [-- options]     a real log, played by its authors through sockets

  --writers <n>  --watchers <n>    how many of each (20, 30)
  --speed <n>                      how many times faster than it was (0: as fast as it goes)
  --rows <n>                       only the first so many updates
  --url --email --password         a server that runs, instead of one of its own`,
    steps: [["bench/replay/main.ts"]],
  },
  screenshots: {
    client: true,
    help: "npm run screenshots [-- --docs] [<name> …]     every screen of the demo, and the set-up, as pictures, in .cache/screenshots",
    steps: [["e2e/screenshots/main.ts"]],
  },
  lint: {
    help: "npm run lint     types, lint and format",
    steps: [
      [tsc, "-b"],
      [biome, "check", "."],
    ],
  },
  docs: {
    help: "npm run docs     writes the parts of the docs that are generated from code",
    steps: [["e2e/docs/reference/main.ts"]],
  },
  format: {
    help: "npm run format     writes every file in the one format",
    steps: [[biome, "format", "--write", "."]],
  },
};

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const starterPollMs = 500;
const running = new Set();
/**
 * Aborted, with the name of the signal, when we are asked to stop: whatever is being installed is given up, and nothing more
 * is begun. A server takes a second signal for the order to end at once, so one request to stop is one signal to it:
 * forwardSignals passes on what arrives here, and watchStarters and runTogether send nothing of their own after that.
 */
const stopping = new AbortController();

/** Ctrl-C in a terminal reaches the children by itself. */
function forwardSignals() {
  for (const signal of Object.keys(signalNumbers)) {
    process.on(signal, () => {
      stopping.abort(signal);
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      for (const child of running) child.kill(signal);
    });
  }
}

/** Stops the children, unless they were asked to stop already. */
function stopOnce() {
  if (stopping.signal.aborted) return;
  stopping.abort("SIGTERM");
  for (const child of running) child.kill("SIGTERM");
}

const stoppedCode = () => 128 + signalNumbers[stopping.signal.reason];

/** Our parent, and npm above it if the parent is only the shell that npm starts scripts with. */
function starters() {
  const parent = process.ppid;
  try {
    const [, name, rest] = /^\d+ \((.*)\) (.*)/.exec(readFileSync(`/proc/${parent}/stat`, "utf8"));
    return /^(sh|dash|bash)$/.test(name) ? `${parent} ${rest.split(" ")[1]}` : String(parent);
  } catch {
    return String(parent);
  }
}

/**
 * If npm started us and is gone, nothing else stops the command: so it is stopped here. A signal to npm ends it and its shell at
 * once, and does not reach us.
 */
function watchStarters() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const known = starters();
  const watch = setInterval(() => {
    if (starters() === known) return;
    clearInterval(watch);
    stopOnce();
  }, starterPollMs).unref();
}

function runStep(node, args) {
  return new Promise((resolve) => {
    if (stopping.signal.aborted) return resolve(stoppedCode());
    const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
    // Node's compile cache: a second start needs half the work.
    const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, ".cache", "compiled");
    const env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled };
    // A channel to our own programs: a server stops when it is closed, as it is when we are killed.
    const stdio = ["inherit", "inherit", "inherit", ...(args[0] === program ? ["ipc"] : [])];
    const child = spawn(node, args, { cwd: root, env, stdio });
    running.add(child);
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + (signalNumbers[signal] ?? 9));
    });
  });
}

async function runTogether(node, steps) {
  const all = steps.map((step) => runStep(node, step));
  const code = await Promise.race(all);
  stopOnce();
  await Promise.all(all);
  return code;
}

async function runSteps(node, { steps, together }, args) {
  const all = steps.map((step, index) => (index === steps.length - 1 ? [...step, ...args] : step));
  if (together) return runTogether(node, all);
  for (const step of all) {
    const code = await runStep(node, step);
    if (code !== 0) return code;
  }
  return 0;
}

async function main([name = "--help", ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(`Say one of: ${Object.keys(commands).join(", ")}.`);
    return 2;
  }
  const asksForHelp = args.includes("--help") || args.includes("-h");
  if (asksForHelp && !command.hasHelp) {
    console.log(command.help);
    return 0;
  }
  forwardSignals();
  watchStarters();
  const needsClient = command.client && !args.includes(command.withoutClient) && !asksForHelp;
  const node = await ensureAll(needsClient).catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (!node) return stoppedCode();
  if (command === commands.install) linkNode(node);
  return runSteps(node, command, args);
}

/** Installs and builds what is missing or stale; returns the Node to use. */
async function ensureAll(needsClient) {
  const { signal } = stopping;
  const node = await ensureNode(join(root, "server", "bootstrap", "node"), root, signal);
  await ensurePackages(root, node, signal);
  if (needsClient) await ensureClient(root, node, signal);
  return node;
}

/** For service managers, which are to run the server itself, on a Node that it accepts. */
function linkNode(node) {
  const link = join(root, ".cache", "node");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(node, `${link}.${process.pid}`);
  renameSync(`${link}.${process.pid}`, link);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
