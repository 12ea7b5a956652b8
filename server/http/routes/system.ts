import type { systemRoutes } from "../../../shared/contract/system.ts";
import type { AppDeps } from "../app-deps.ts";
import type { Handlers } from "../handlers.ts";

export function systemHandlers({ system }: AppDeps): Handlers<typeof systemRoutes> {
  return { "GET /system": ({ identity }) => system(identity.subject) };
}
