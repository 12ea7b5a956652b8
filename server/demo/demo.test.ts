import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { freePort } from "../../e2e/provision/free-port.ts";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";

const mainFile = fileURLToPath(new URL("../main.ts", import.meta.url));
const WITHIN_MS = 120_000;

/** Retries until there is an answer. */
async function eventually<T>(find: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(200)) {
    const found = await find();
    if (found !== null) return found;
  }
  throw new Error("It did not happen in time.");
}

it("the demo signs in two users and a display by one click each, and its simulated users work", async () => {
  const folder = await tempFolder();
  const port = String(await freePort());
  const env = { ...process.env, DATA_DIR: `${folder.path}/data`, PORT: port, HOST: "0.0.0.0" };
  const demo = spawn(process.execPath, [mainFile, "demo"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  demo.stdout.on("data", (text) => {
    output += String(text);
  });
  const enter = async (name: string) => {
    const link = await eventually(
      () => new RegExp(`${name}, \\w+ +(http\\S+)`).exec(output)?.[1] ?? null,
    );
    const answer = await fetch(link, { redirect: "manual" });
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { origin } = new URL(link);
    const get = async (path: string) =>
      (await fetch(`${origin}/api/v1${path}`, { headers: { cookie } })).json();
    return { to: answer.headers.get("location"), get };
  };
  const [mira, sam] = [await enter("Mira Olsen"), await enter("Sam Rivera")];
  expect(mira.to).toBe("/t/incidents");
  expect((await mira.get("/session")).user).toMatchObject({ name: "Mira Olsen", role: "owner" });
  expect((await sam.get("/session")).user).toMatchObject({ name: "Sam Rivera", role: "editor" });
  // its password is public: it must not answer on any other address of this machine
  await expect(fetch(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow();
  expect(output).toContain("npm run demo -- --public");
  const position = async () => (await sam.get("/tables/incidents/records?limit=1")).seq as number;
  const before = await position();
  await eventually(async () => ((await position()) >= before + 3 ? true : null));
  const { items } = await mira.get("/users");
  const authors = new Set(items.map(({ name }: { name: string }) => name));
  expect(authors).toContain("Priya Nair");
  const displayUrl = await eventually(() => /The wall +(http\S+)/.exec(output)?.[1] ?? null);
  const opened = await fetch(displayUrl, { redirect: "manual" });
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect([opened.headers.get("location"), cookie]).toEqual([
    "/display",
    expect.stringMatching(/^watchfloor_display=/),
  ]);
  const { origin } = new URL(displayUrl);
  const program = await fetch(`${origin}/api/v1/display`, { headers: { cookie } });
  expect(await program.json()).toMatchObject({
    name: "Demo wall",
    boards: [expect.any(String)],
  });
  const repeated = await fetch(displayUrl, { redirect: "manual" });
  expect(repeated.headers.getSetCookie()).toEqual([]);
  const exited = once(demo, "exit");
  // as a terminal that is closed
  demo.kill("SIGHUP");
  expect(await exited).toEqual([0, null]);
  folder.drop();
});
