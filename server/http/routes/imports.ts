import type { Request } from "express";
import { englishOnly } from "../../../shared/error-texts/explain.ts";
import type { changeSetRoutes } from "../../../shared/protocol/change-sets.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { tableRoutes } from "../../../shared/protocol/tables.ts";
import type { Identity } from "../../auth/identity.ts";
import { allUsers } from "../../auth/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { allowImportedFile, IMPORT_TIMEOUT_MS } from "../body-deadline.ts";
import { currentIdentityOf } from "../current-identity.ts";
import type { Handlers } from "../handlers.ts";

/** Read CSV files while they arrive, into change sets (server/change-sets/import-file.ts): of a table, or a draft. */
export function importHandlers(
  deps: AppDeps,
): Pick<
  Handlers<typeof tableRoutes & typeof changeSetRoutes>,
  | "POST /tables/{table}/imports"
  | "POST /change-sets/{id}/import"
  | "PATCH /change-sets/{id}/rejects"
> {
  const { changeSets, limits } = deps;
  const users = ({ subject }: Identity) => allUsers(deps.auth, subject);
  const { imports } = deps.commands.budget;
  const sourceOf = (request: Request) => {
    requireFile(request.headers, limits.IMPORT_FILE_MAX_BYTES);
    return {
      users,
      currentIdentity: currentIdentityOf(request, deps),
      open() {
        allowImportedFile(request, IMPORT_TIMEOUT_MS);
        return request;
      },
    };
  };
  return {
    "POST /tables/{table}/imports": async ({ identity, params, query, request }) => {
      const { dryRun, ...options } = query;
      const call = { table: params.table, options, dryRun, ...sourceOf(request) };
      const run = () => changeSets.importIntoTable(identity, call);
      return imports.run(identity.subject.id, run);
    },
    "POST /change-sets/{id}/import": async ({ identity, params, query, request }) => {
      const { table, format, ...given } = query;
      const options = { ...(format === "tsv" && { delimiter: "\t" }), ...given };
      const call = { table, options, ...sourceOf(request) };
      const run = () => changeSets.importIntoDraft(identity, params.id, call);
      return imports.run(identity.subject.id, run);
    },
    "PATCH /change-sets/{id}/rejects": ({ identity, params, body, request }) => {
      const call = { correction: body, users, currentIdentity: currentIdentityOf(request, deps) };
      return changeSets.correctRejected(identity, params.id, call);
    },
  };
}

function requireFile(headers: Record<string, unknown>, limit: number): void {
  if (!/^text\/csv(;|$)/i.test(String(headers["content-type"] ?? ""))) {
    const explanation = englishOnly("The body must be a file of text/csv.");
    throw new Refusal("invalid_request", { in: "body" }, explanation);
  }
  const size = Number(headers["content-length"] ?? 0);
  if (size > limit) throw new Refusal("too_large", { limit, size, unit: "bytes" });
}
