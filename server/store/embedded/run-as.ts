import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { runProgram } from "./run-program.ts";

/**
 * The account that Postgres runs as. Postgres refuses root, and initdb refuses a uid without an account.
 * First tries a user namespace in which we are an ordinary account: files stay ours, so a data folder below
 * one that only root may enter works without any chown. If the kernel or a container refuses namespaces, root
 * changes to an unprivileged account instead (see cluster-folders.ts for the folders).
 */
export type RunAs =
  | { readonly kind: "self" }
  | { readonly kind: "namespace"; readonly prefix: readonly string[] }
  | { readonly kind: "account"; readonly name: string; readonly uid: number; readonly gid: number };

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const preferredAccounts = ["postgres", "daemon", "nobody"];

function accounts(): Account[] {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function pickAccount(): Account {
  const known = accounts();
  const preferred = preferredAccounts.map((name) => known.find((a) => a.name === name));
  const account = preferred.find((a) => a !== undefined) ?? known[0];
  if (!account) throw new Error("Postgres refuses to run as root and there is no other account.");
  return account;
}

function isOrdinary(): boolean {
  if (process.getuid?.() === 0) return false;
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Decides which account to use; `avoid` lets a test use the second way for root. */
export async function chooseRunAs(avoid?: "namespace"): Promise<RunAs> {
  if (process.platform === "win32" || isOrdinary()) return { kind: "self" };
  const account = pickAccount();
  const prefix = [
    "unshare",
    "--user",
    `--map-user=${account.uid}`,
    `--map-group=${account.gid}`,
    "--",
  ];
  if (avoid !== "namespace" && (await runProgram([...prefix, "true"])).ok) {
    return { kind: "namespace", prefix };
  }
  if (process.getuid?.() === 0) return { kind: "account", ...account };
  throw new Error(
    `The user id ${process.getuid?.()} has no account on this machine, which Postgres insists on. Run as a user that has one, or set DATABASE_URL.`,
  );
}
