import { existsSync } from "node:fs";
import { access, constants, lstat, realpath, statfs } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { checkLiveConnection } from "./check-live-connection.ts";
import { checkPages } from "./check-pages.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Faults of the machine: the port, the disk, the files. */

const ANSWER_TIMEOUT_MS = 3_000;
const MIB = 1024 * 1024;
const FREE_FAULT_BYTES = 256 * MIB;
const FREE_WARNING_BYTES = 1024 * MIB;
const FREE_WARNING_SHARE = 0.05;

export interface Space {
  freeBytes: number;
  totalBytes: number;
}

/** Whether a Watchfloor server answers at an address; null if its certificate is not accepted. */
async function isWatchfloor(url: string): Promise<boolean | null> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const answer = await fetch(`${url}/healthz`, { signal, redirect: "manual" });
    return answer.ok && ((await answer.json()) as { ok?: boolean }).ok === true;
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? {}) as { code?: string };
    return /CERT|SIGNATURE|ISSUER/.test(code) ? null : false;
  }
}

const localAddress = ({ host, port }: Pick<Config, "host" | "port">) => ({
  host: host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host,
  port,
});

/** Whether the server of this environment runs on this machine. */
export async function isRunning(config: Pick<Config, "host" | "port">): Promise<boolean> {
  const { host, port } = localAddress(config);
  return (await isWatchfloor(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)) === true;
}

export async function checkPort(config: Pick<Config, "host" | "port">): Promise<Finding[]> {
  if (await isRunning(config)) return [];
  if (!(await accepts(localAddress(config)))) return [];
  const message = `Port ${config.port} is taken by another program.`;
  return [findingsOf("port").fault(message, "Stop that program, or set PORT to a free one.")];
}

function accepts(address: { host: string; port: number }): Promise<boolean> {
  const { promise, resolve: finish } = Promise.withResolvers<boolean>();
  const socket = connect({ ...address, timeout: ANSWER_TIMEOUT_MS });
  socket.once("connect", () => finish(true));
  for (const event of ["error", "timeout"] as const) socket.once(event, () => finish(false));
  return promise.finally(() => socket.destroy());
}

/** Only while the server runs here: what else answers at its public address is no fault of a stopped one. */
export async function checkPublicAddress(
  config: Pick<Config, "publicUrl" | "host" | "port">,
): Promise<Finding[]> {
  const { publicUrl } = config;
  if (publicUrl === undefined || !(await isRunning(config))) return [];
  const { warning } = findingsOf("public-url");
  const isOurs = await isWatchfloor(publicUrl);
  if (isOurs) return [...(await checkPages(publicUrl)), ...(await checkLiveConnection(publicUrl))];
  if (isOurs === null) {
    const message = `This machine does not accept the TLS certificate of PUBLIC_URL (${publicUrl}): it has expired, is for another name, or nobody known has signed it.`;
    const advice =
      "Renew it, or let the proxy send the whole chain. With a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS.";
    return [warning(message, advice)];
  }
  const message = `The server runs, but PUBLIC_URL (${publicUrl}) does not lead to it.`;
  const advice =
    "Correct PUBLIC_URL, the DNS, or the proxy. A firewall may also keep this machine from its own public address.";
  return [warning(message, advice)];
}

/** Postgres stops accepting edits on a full disk. */
export async function checkDisk(
  config: Pick<Config, "databaseUrl" | "dataDir" | "backupDir">,
  space: (path: string) => Promise<Space> = spaceAt,
): Promise<Finding[]> {
  const { fault, warning } = findingsOf("disk");
  const places = [
    ...(config.databaseUrl ? [] : [["DATA_DIR", config.dataDir] as const]),
    ...(config.backupDir ? [["WATCHFLOOR_BACKUP_DIR", config.backupDir] as const] : []),
  ];
  const found: Finding[] = [];
  for (const [variable, path] of places) {
    const { freeBytes, totalBytes } = await space(nearestExisting(resolve(path)));
    const free = `${Math.floor(freeBytes / MIB).toLocaleString("en-GB")} MiB`;
    const message = `The disk of ${variable} (${path}) has ${free} left.`;
    const advice = "Free some space, or move the folder to a larger disk.";
    if (freeBytes < FREE_FAULT_BYTES) found.push(fault(message, advice));
    else if (freeBytes < FREE_WARNING_BYTES || freeBytes < totalBytes * FREE_WARNING_SHARE) {
      found.push(warning(message, advice));
    }
  }
  return found;
}

async function spaceAt(path: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

/** The data folder holds the database and its passwords: nobody else may enter it. */
export async function checkDataFolder({
  databaseUrl,
  dataDir,
}: Pick<Config, "databaseUrl" | "dataDir">): Promise<Finding[]> {
  const home = join(resolve(dataDir), "postgres");
  if (databaseUrl || process.platform === "win32" || !existsSync(home)) return [];
  const { fault } = findingsOf("data-folder");
  const path = await realpath(home);
  const found: Finding[] = [];
  for (const file of [path, join(path, "connection"), join(path, "data", "watchfloor-password")]) {
    const mode = await lstat(file).then(
      ({ mode: bits }) => bits & 0o777,
      () => 0,
    );
    if ((mode & 0o077) !== 0) {
      const message = `${file} can be used by other users of this machine (mode ${mode.toString(8).padStart(4, "0")}).`;
      found.push(fault(message, `Run: chmod go-rwx '${file}'`));
    }
  }
  const mayUse = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!mayUse) {
    const message = `This user may not use ${path}.`;
    found.push(fault(message, "Run Watchfloor as the user that made the folder."));
  }
  return found;
}

export async function checkBackupFolder({
  backupDir,
}: Pick<Config, "backupDir">): Promise<Finding[]> {
  if (backupDir === undefined) return [];
  const path = nearestExisting(resolve(backupDir));
  // A slash at the end: also a file in its place is no folder.
  const error = await access(`${path}/`, constants.W_OK).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (error === null) return [];
  const message = `WATCHFLOOR_BACKUP_DIR (${backupDir}) can't be written to (${error}).`;
  const advice =
    "Make it writable for the user that runs Watchfloor. The server does not start until it is.";
  return [findingsOf("backup").fault(message, advice)];
}
