#!/usr/bin/env node
import type { Command } from "./terminal/command.ts";

/**
 * The program `watchfloor <command>`. Each command is loaded when it is called: an option that does not exist
 * needs no server.
 */
/** By a name that the compiler does not follow: the demo uses modules of the client. */
const demoModule: string = "./demo/demo-command.ts";

const commands: Readonly<
  Record<string, { summary: string; load: () => Promise<{ command: Command }> }>
> = {
  start: { summary: "run the server", load: () => import("./start-command.ts") },
  demo: {
    summary: "run a service desk with simulated colleagues",
    load: () => import(demoModule) as Promise<{ command: Command }>,
  },
  doctor: {
    summary: "find faults of the installation, and say what to do",
    load: () => import("./terminal/doctor/doctor-command.ts"),
  },
  user: {
    summary: "list, invite, disable users; reset passwords",
    load: () => import("./terminal/users/user-command.ts"),
  },
  token: {
    summary: "list, create, revoke API tokens",
    load: () => import("./terminal/users/token-command.ts"),
  },
  model: {
    summary: "write the model to a file, apply one",
    load: () => import("./terminal/model/model-command.ts"),
  },
  import: {
    summary: "read a CSV file into a table",
    load: () => import("./terminal/import/import-command.ts"),
  },
  export: {
    summary: "write the records of a table or view to a file",
    load: () => import("./terminal/export/export-command.ts"),
  },
  backup: {
    summary: "write everything that is stored to a file",
    load: () => import("./terminal/backup/backup-command.ts"),
  },
  restore: {
    summary: "put a backup into a database",
    load: () => import("./terminal/backup/restore-command.ts"),
  },
  move: {
    summary: "move the installation to another database",
    load: () => import("./terminal/backup/move-command.ts"),
  },
  erase: {
    summary: "remove personal data for good",
    load: () => import("./terminal/erase/erase-command.ts"),
  },
};

const usage = `watchfloor <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join("\n")}

In a clone: npm run watchfloor -- <command>. "watchfloor <command> --help" explains a command. The exit status is 0
if all went well, 1 if the command found or met a fault, and 2 if it could not be tried. docs/guides/cli.md`;

async function main([name = "", ...args]: string[]): Promise<number> {
  if (Object.hasOwn(commands, name)) {
    const loaded = await commands[name]?.load();
    if (loaded) return loaded.command.run(args);
  }
  const asksForHelp = ["", "help", "--help", "-h"].includes(name);
  if (asksForHelp) console.log(usage);
  else console.error(`There is no command "${name}".\n\n${usage}`);
  return asksForHelp ? 0 : 2;
}

process.exitCode = await main(process.argv.slice(2));
