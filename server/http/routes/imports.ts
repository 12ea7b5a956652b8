import type { tableRoutes } from "../../../shared/contract/tables.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { FairQueue } from "../../auth/fair-queue.ts";
import type { Identity } from "../../auth/identity.ts";
import { runImport } from "../../import/run-import.ts";
import type { AppDeps } from "../app-deps.ts";
import { allowBodyTime } from "../body-deadline.ts";
import { readCredential } from "../credential.ts";
import type { Handlers } from "../handlers.ts";

/** Reads a CSV file while it arrives. */
export function importHandler({
  auth,
  commands,
  config,
  model,
}: Pick<AppDeps, "auth" | "commands" | "config" | "model">): Handlers<
  typeof tableRoutes
>["POST /tables/{table}/imports"] {
  const { limits, publicUrl } = config;
  const users = ({ subject }: Identity) => auth.users.list(subject);
  const deps = { commands, model, limits, users };
  const queue = new FairQueue({
    parallel: limits.IMPORTS_AT_ONCE,
    perUser: limits.IMPORTS_PER_USER,
    waitingPerUser: 0,
  });
  return async ({ identity: { subject }, params, query, request }) => {
    requireFile(request.headers, limits.IMPORT_FILE_MAX_BYTES);
    const from = { kind: "person", publicUrl } as const;
    const token = readCredential(request.headers, from)?.token ?? "";
    const currentIdentity = async () => {
      const identity = await auth.authenticate(token);
      if (!identity) throw new Refusal("session_ended");
      return identity;
    };
    const open = () => {
      allowBodyTime(request, limits.IMPORT_TIMEOUT_MS);
      return request;
    };
    const call = { table: params.table, options: query, open, currentIdentity };
    return queue.run(subject.id, () => runImport(deps, call));
  };
}

function requireFile(headers: Record<string, unknown>, limit: number): void {
  if (!/^text\/csv(;|$)/i.test(String(headers["content-type"] ?? ""))) {
    throw new Refusal("invalid_request", { in: "body" }, "The body must be a file of text/csv.");
  }
  const size = Number(headers["content-length"] ?? 0);
  if (size > limit) throw new Refusal("too_large", { limit, size, unit: "bytes" });
}
