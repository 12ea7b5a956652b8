import type { changeSetRoutes } from "../../../shared/protocol/change-sets.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed, Reply } from "../handlers.ts";

export function changeSetHandlers({
  changeSets,
}: AppDeps): Omit<
  Handlers<typeof changeSetRoutes>,
  "POST /change-sets/{id}/import" | "PATCH /change-sets/{id}/rejects"
> {
  return {
    "GET /change-sets": async ({ identity, query }) =>
      listed(await changeSets.list(identity, query)),
    "POST /change-sets": async ({ identity, body }) =>
      created("GET /change-sets/{id}", await changeSets.create(identity, body)),
    "GET /change-sets/{id}": ({ identity, params }) => changeSets.one(identity, params.id),
    "PATCH /change-sets/{id}": ({ identity, params, body }) =>
      changeSets.change(identity, params.id, body),
    "DELETE /change-sets/{id}": ({ identity, params }) => changeSets.remove(identity, params.id),
    "GET /change-sets/{id}/preview": ({ identity, params, query }) =>
      changeSets.preview(identity, params.id, query),
    "GET /change-sets/{id}/rejects.csv": async ({ identity, params }) => {
      const chunks = (await changeSets.rejects(identity, params.id)).file();
      return new Reply(undefined, { file: { name: "rejected-rows.csv", chunks } });
    },
    "GET /change-sets/{id}/rejects": async ({ identity, params, query }) =>
      (await changeSets.rejects(identity, params.id)).page(query),
    "POST /change-sets/{id}/apply": async ({ identity, params, body }) => {
      const answer = await changeSets.apply(identity, params.id, body);
      return new Reply(answer, answer.state === "applying" ? { status: 202 } : {});
    },
    "POST /change-sets/{id}/cancel": ({ identity, params }) =>
      changeSets.cancel(identity, params.id),
    "POST /change-sets/{id}/revert": async ({ identity, params }) =>
      created("GET /change-sets/{id}", await changeSets.revert(identity, params.id)),
  };
}
