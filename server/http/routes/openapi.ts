import type { describeRoutes } from "../../../shared/contract/describe.ts";
import type { AppDeps } from "../app-deps.ts";
import { openApi } from "../docs/openapi.ts";
import { withTables } from "../docs/table-paths.ts";
import type { Handlers } from "../handlers.ts";

/** The description of the API: generic for everybody, with the tables of its caller once they are signed in. */
export function describeHandlers({ model, version }: AppDeps): Handlers<typeof describeRoutes> {
  return {
    "GET /openapi.json": async ({ identity }) => {
      const document = openApi(version);
      return { ...(identity ? withTables(document, model(), identity.subject) : document) };
    },
  };
}
