import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "../provision/free-port.ts";
import { tempFolder } from "../provision/temp-folder.ts";

const mainFile = fileURLToPath(new URL("../../server/main.ts", import.meta.url));

export interface Demo {
  url: string;
  /** The link that opens the wall in a browser. */
  wall: string;
  stop(): Promise<void>;
}

/** Starts the demo on a free port, in a folder of its own. */
export async function runDemo(): Promise<Demo> {
  const { port, link, stop } = await run("demo", /The wall +(http\S+)/);
  return { url: `http://localhost:${port}`, wall: link, stop };
}

/** Starts an installation that is still to be set up, on a free port and in a folder of its own. */
export async function runWithoutOwner(): Promise<{ setupLink: string; stop(): Promise<void> }> {
  const { link, stop } = await run("start", /Set it up here.*(http\S+)/);
  return { setupLink: link, stop };
}

/** Runs a command that prints a link once it is ready. */
async function run(command: string, printed: RegExp) {
  const folder = await tempFolder();
  const port = String(await freePort());
  const unset = ["DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "WATCHFLOOR_OWNER_EMAIL"];
  const env = {
    ...process.env,
    ...Object.fromEntries(unset.map((name) => [name, ""])),
    HOST: "127.0.0.1",
    DATA_DIR: `${folder.path}/data`,
    PORT: port,
  };
  const program = spawn(process.execPath, [mainFile, command], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const link = await new Promise<string>((resolve, reject) => {
    program.once("exit", () => reject(new Error(`"${command}" did not start.`)));
    program.stdout.on("data", (text) => {
      output += String(text);
      const found = printed.exec(output)?.[1];
      if (found) resolve(found);
    });
  });
  return {
    port,
    link,
    async stop() {
      const exited = once(program, "exit");
      program.kill("SIGTERM");
      await exited;
      folder.drop();
    },
  };
}
