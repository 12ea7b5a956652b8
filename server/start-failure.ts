import { Refusal } from "../shared/protocol/errors.ts";
import { type Config, ConfigError } from "./config/config.ts";
import { BackupError } from "./store/backup/backup-error.ts";
import { EmbeddedRefusal } from "./store/embedded/run-postgres.ts";
import { isUnavailable } from "./store/is-unavailable.ts";
import { TableMisfit } from "./store/model-fit.ts";

/**
 * A DATABASE_URL that reaches a Postgres but can't use its data: wrong user or password, no such database or
 * schema, a missing right, a read-only standby, a full disk.
 */
const refusedByPostgres = /^(28|3D|3F|42501|25006|53|55|57)/;

/** Of TLS: no certificate that is trusted, or none at all. */
const refusedByTls =
  /^(The server does not support SSL|There was an error establishing an SSL)|certificate|altname/i;

/** A file is in place of a folder, at the end of the path or within it. */
const notAFolder = new Set(["EEXIST", "ENOTDIR"]);

/** Why the server did not start: one sentence if the operator can act on it, anything else unchanged. */
export function startFailure(
  error: unknown,
  config: Pick<Config, "port" | "host" | "databaseUrl" | "databaseOwnerUrl" | "dataDir">,
): unknown {
  const { port, host, databaseUrl, dataDir } = config;
  const explained = [EmbeddedRefusal, ConfigError, BackupError, TableMisfit];
  const isExplained = explained.some((of) => error instanceof of);
  if (isExplained) return (error as Error).message;
  if (error instanceof Refusal) return refusedSetting(error);
  if (!(error instanceof Error)) return error;
  const { code = "", hostname, syscall } = error as NodeJS.ErrnoException & { hostname?: string };
  if (!databaseUrl && notAFolder.has(code)) {
    return `DATA_DIR (${dataDir}) can't be a folder: something else is there. Set it to another path.`;
  }
  if (code === "EADDRINUSE")
    return `Port ${port} is taken by another program. Set PORT to a free one.`;
  if (syscall === "listen" || hostname === host) {
    return `The server can't listen on ${host}, port ${port} (${code}). Set HOST and PORT to others.`;
  }
  const isRefused = refusedByPostgres.test(code) || refusedByTls.test(error.message);
  if (databaseUrl && (isRefused || isUnavailable(error))) {
    const variables = `DATABASE_URL${config.databaseOwnerUrl ? " or DATABASE_OWNER_URL" : ""}`;
    return `The database at ${variables} can't be used: ${error.message}.`;
  }
  return error;
}

/** The first start is refused like any set-up: by a sentence, or by the problem of a field. */
function refusedSetting({ message, detail }: Refusal): string {
  const { password } = (detail.fields ?? {}) as Record<string, { message: string } | undefined>;
  return password ? `WATCHFLOOR_OWNER_PASSWORD can't be used. ${password.message}` : message;
}
