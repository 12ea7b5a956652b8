import type { AppDeps } from "./app-deps.ts";
import type { Route } from "./route.ts";
import { changeRoutes } from "./routes/changes.ts";
import { displayRoutes } from "./routes/display.ts";
import { displayRecordRoutes } from "./routes/displays.ts";
import { factorRoutes } from "./routes/factors.ts";
import { importRoutes } from "./routes/imports.ts";
import { invitationRoutes } from "./routes/invitations.ts";
import { meRoutes } from "./routes/me.ts";
import { modelRoutes } from "./routes/model.ts";
import { mutationRoutes } from "./routes/mutations.ts";
import { passkeyDoorRoutes } from "./routes/passkey-door.ts";
import { passwordResetRoutes } from "./routes/password-resets.ts";
import { recordEditRoutes } from "./routes/record-edits.ts";
import { recordRoutes } from "./routes/records.ts";
import { roleRoutes } from "./routes/roles.ts";
import { securityEventRoutes } from "./routes/security-events.ts";
import { sessionRoutes } from "./routes/session.ts";
import { setupRoutes } from "./routes/setup.ts";
import { signInLinkRoutes } from "./routes/sign-in-links.ts";
import { summaryRoutes } from "./routes/summary.ts";
import { userAccessRoutes } from "./routes/user-access.ts";
import { userRoutes } from "./routes/users.ts";
import { viewRoutes } from "./routes/views.ts";
import { wallboardRoutes } from "./routes/wallboards.ts";

/** The table of routes below `/api/v1`, in the order of the documentation. */
export function allRoutes(deps: AppDeps): Route[] {
  return [
    ...sessionRoutes(deps),
    ...passkeyDoorRoutes(deps),
    ...meRoutes(deps),
    ...factorRoutes(deps),
    ...signInLinkRoutes(deps),
    ...setupRoutes(deps),
    ...invitationRoutes(deps),
    ...passwordResetRoutes(deps),
    ...userRoutes(deps),
    ...userAccessRoutes(deps),
    ...roleRoutes(deps),
    ...securityEventRoutes(deps),
    ...modelRoutes(deps),
    ...recordRoutes(deps),
    ...recordEditRoutes(deps),
    ...mutationRoutes(deps),
    ...importRoutes(deps),
    ...summaryRoutes(deps),
    ...changeRoutes(deps),
    ...viewRoutes(deps),
    ...displayRecordRoutes(deps),
    ...displayRoutes(deps),
    ...wallboardRoutes(deps),
  ];
}
