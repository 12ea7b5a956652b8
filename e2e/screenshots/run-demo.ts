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
  const folder = await tempFolder();
  const port = String(await freePort());
  const env = { ...process.env, DATA_DIR: `${folder.path}/data`, PORT: port };
  const demo = spawn(process.execPath, [mainFile, "demo"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const wall = await new Promise<string>((resolve, reject) => {
    demo.once("exit", () => reject(new Error("The demo did not start.")));
    demo.stdout.on("data", (text) => {
      output += String(text);
      const link = /The wall +(http\S+)/.exec(output)?.[1];
      if (link) resolve(link);
    });
  });
  return {
    url: `http://localhost:${port}`,
    wall,
    async stop() {
      const exited = once(demo, "exit");
      demo.kill("SIGTERM");
      await exited;
      folder.drop();
    },
  };
}
