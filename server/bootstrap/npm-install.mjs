import { spawn } from "node:child_process";
import { basename, delimiter, dirname } from "node:path";

/** npm as it was called, or the one on the PATH. */
function npmCommand(node) {
  const called = process.env.npm_execpath ?? "";
  if (basename(called) === "npm-cli.js") return { file: node, args: [called], shell: false };
  return { file: "npm", args: [], shell: process.platform === "win32" };
}

/**
 * Runs `npm ci` in a folder on the given Node, silently unless it fails. Install scripts are off: no package
 * here needs one (the embedded Postgres creates its links itself). `signal` stops npm, which is waited for: a start that follows
 * installs into the same folder.
 */
export function npmInstall(folder, node, notice, signal) {
  console.error(notice);
  const { file, args, shell } = npmCommand(node);
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`,
    npm_config_update_notifier: "false",
  };
  // Development tools build the client, so they are installed whatever NODE_ENV says.
  const prefix = shell ? `"${folder}"` : folder;
  const all = [...args, ...flags, "--include=dev", "--include=optional", "--prefix", prefix];
  return new Promise((resolve, reject) => {
    const said = [];
    const stdio = ["ignore", "pipe", "pipe"];
    const child = spawn(file, all, { cwd: folder, env, shell, stdio, signal });
    child.stdout.on("data", (chunk) => said.push(chunk));
    child.stderr.on("data", (chunk) => said.push(chunk));
    child.on("error", (error) => {
      if (error.name === "AbortError") return;
      reject(new Error(`npm could not be run: ${error.message}`));
    });
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(new Error(`npm ci failed in ${folder}:\n${Buffer.concat(said).toString().trim()}`));
    });
  });
}
