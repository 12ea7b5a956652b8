import { z } from "zod";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { nameSchema } from "../../../shared/protocol/record.ts";
import type { Identity } from "../../auth/identity.ts";
import { importOptionsSchema } from "../../import/import-options.ts";
import { importReportSchema } from "../../import/import-report.ts";
import { runImport } from "../../import/run-import.ts";
import type { AppDeps } from "../app-deps.ts";
import { readCredential } from "../credential.ts";
import { type Route, route } from "../route.ts";

/** Bringing a CSV file in. The body is the file itself and is read while it arrives. */
export function importRoutes({
  auth,
  commands,
  config,
  model,
}: Pick<AppDeps, "auth" | "commands" | "config" | "model">): Route[] {
  const { limits, publicUrl } = config;
  const people = async ({ subject }: Identity) =>
    new Set((await auth.people.list(subject)).map(({ id }) => id));
  const deps = { commands, model, limits, people };
  return [
    route(
      {
        method: "post",
        path: "/tables/{table}/imports",
        summary:
          "Import a CSV file (the body, text/csv); each bad row is told and spoils no other.",
        params: z.object({ table: nameSchema }),
        query: importOptionsSchema,
        file: "text/csv",
        answer: importReportSchema,
      },
      async (_identity, { params, query, request }) => {
        requireFile(request.headers, limits.IMPORT_FILE_MAX_BYTES);
        const from = { kind: "person", publicUrl } as const;
        const token = readCredential(request.headers, from)?.token ?? "";
        const who = async () => {
          const identity = await auth.authenticate(token);
          if (!identity) throw new Refusal("session_ended");
          return identity;
        };
        const call = { table: params.table, options: query, source: request, who };
        return { body: await runImport(deps, call) };
      },
    ),
  ];
}

function requireFile(headers: Record<string, unknown>, limit: number): void {
  if (!/^text\/csv(;|$)/i.test(String(headers["content-type"] ?? ""))) {
    throw new Refusal("invalid_request", { in: "body" }, "The body must be a file of text/csv.");
  }
  const size = Number(headers["content-length"] ?? 0);
  if (size > limit) throw new Refusal("too_large", { limit, size, unit: "bytes" });
}
