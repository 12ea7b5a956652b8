import { readFileSync } from "node:fs";
import { format } from "node:util";
import { vi } from "vitest";
import type { Command } from "../../server/terminal/command.ts";

const main = new URL("../../server/main.ts", import.meta.url);
const source = readFileSync(main, "utf8");

/** The names of all commands of `watchfloor`. */
export const commandNames: readonly string[] = [
  ...source.matchAll(/^ {2}(\w+): \{ ?(?:summary|$)/gm),
].map(([, name = ""]) => name);

/** Loads the module of a command that server/main.ts names. */
async function load(name: string): Promise<Command> {
  const named = new RegExp(`^ {2}${name}: \\{[^}]*import\\(([^)]*)\\)`, "m").exec(source)?.[1];
  const path = named === "demoModule" ? /demoModule: string = (.*);/.exec(source)?.[1] : named;
  const { href } = new URL(JSON.parse(path ?? '""'), main);
  return ((await import(href)) as { command: Command }).command;
}

/**
 * Runs `watchfloor <command>` in this process, where its modules are loaded once, with these variables beside the environment of the tests:
 * for what a command does and says. One at a time, because what it prints is taken from the console. A process of its own
 * (run-program.ts) takes a third of a second of a core.
 */
export async function runCommand(
  [name = "", ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const command = await load(name);
  const printed = { out: "", err: "" };
  const take =
    (stream: keyof typeof printed) =>
    (...parts: unknown[]) => {
      printed[stream] += `${format(...parts)}\n`;
    };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(take("out")),
    vi.spyOn(console, "error").mockImplementation(take("err")),
    vi.spyOn(process.stdout, "write").mockImplementation((part) => {
      printed.out += String(part);
      return true;
    }),
  ];
  const former = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  try {
    return { code: await command.run(args), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
