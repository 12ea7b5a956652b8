import { join } from "node:path";
import type { ClusterFolders } from "./cluster-folders.ts";
import type { RunAs } from "./run-as.ts";

/** The start of a command line that runs one of Postgres' programs as the right user. */
export function postgresCommand(
  program: "initdb" | "postgres" | "pg_ctl",
  folders: ClusterFolders,
  runAs: RunAs,
): string[] {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const file = join(folders.native.root, "native", "bin", `${program}${suffix}`);
  return runAs.kind === "namespace" ? [...runAs.prefix, file] : [file];
}

/** Spawn options for them. The caller's PG* variables and locale must not reach Postgres. */
export function postgresSpawn(
  folders: ClusterFolders,
  runAs: RunAs,
): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  const inherited = process.platform === "win32" ? process.env : { PATH: process.env.PATH };
  const env = { ...inherited, ...folders.native.env, LC_ALL: "C", TZ: "UTC" };
  const user = runAs.kind === "account" ? { uid: runAs.uid, gid: runAs.gid } : {};
  return { cwd: folders.home, env, ...user };
}
