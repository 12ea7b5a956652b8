import { memoize } from "../../shared/memoize.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Contract } from "../../shared/protocol/contract.ts";
import type { Identity } from "../auth/identity.ts";
import type { AppDeps } from "./app-deps.ts";
import { openApi } from "./docs/openapi.ts";
import { withTables } from "./docs/table-paths.ts";
import { gzipped } from "./gzipped.ts";
import { type Handlers, Reply } from "./handlers.ts";
import { apiTokenHandlers } from "./routes/api-tokens.ts";
import { changeExportHandlers } from "./routes/change-exports.ts";
import { changeSetHandlers } from "./routes/change-sets.ts";
import { commentHandlers } from "./routes/comments.ts";
import { displayHandlers, displayRecordHandlers } from "./routes/displays.ts";
import { entryHandlers } from "./routes/entry.ts";
import { identityProviderHandlers, providerSignInHandlers } from "./routes/identity-providers.ts";
import { importHandlers } from "./routes/imports.ts";
import { inboxHandlers } from "./routes/inbox.ts";
import { factorHandlers, meHandlers } from "./routes/me.ts";
import { modelHandlers } from "./routes/model.ts";
import { recordEditHandlers } from "./routes/record-edits.ts";
import { recordExportHandlers } from "./routes/record-exports.ts";
import { recordHandlers } from "./routes/records.ts";
import { roleHandlers, securityEventHandlers } from "./routes/roles.ts";
import { sessionHandlers } from "./routes/session.ts";
import { tableHandlers } from "./routes/tables.ts";
import { userAccessHandlers } from "./routes/user-access.ts";
import { userHandlers } from "./routes/users.ts";
import { viewHandlers } from "./routes/views.ts";
import { wallboardHandlers } from "./routes/wallboards.ts";
import { webhookHandlers } from "./routes/webhooks.ts";

/** The handler of every route; a missing one does not compile. */
export function allHandlers(deps: AppDeps): Handlers<Contract> {
  const describe = describeApi(deps);
  return {
    ...sessionHandlers(deps),
    ...meHandlers(deps),
    ...factorHandlers(deps),
    ...entryHandlers(deps),
    ...providerSignInHandlers(deps),
    ...identityProviderHandlers(deps),
    ...userHandlers(deps),
    ...userAccessHandlers(deps),
    ...roleHandlers(deps),
    ...securityEventHandlers(deps),
    ...apiTokenHandlers(deps),
    ...modelHandlers(deps),
    ...recordHandlers(deps),
    ...recordEditHandlers(deps),
    ...recordExportHandlers(deps),
    ...tableHandlers(deps),
    ...changeExportHandlers(deps),
    ...changeSetHandlers(deps),
    ...importHandlers(deps),
    ...commentHandlers(deps),
    ...inboxHandlers(deps),
    ...viewHandlers(deps),
    ...displayRecordHandlers(deps),
    ...displayHandlers(deps),
    ...wallboardHandlers(deps),
    ...webhookHandlers(deps),
    "GET /system": ({ me }) => deps.system(me),
    "GET /openapi.json": ({ identity }) => describe(identity),
  };
}

/** Descriptions that are held: of roles with the published model. */
const DESCRIPTIONS_MAX = 50;

/**
 * The description of the API: generic for everybody, with the tables of its caller once they are signed in. That of a large model
 * takes as long as many pages to make, so it is made once for each role.
 */
export function describeApi({ model, version }: { model: () => Model; version: string }) {
  const made = memoize((key: string) => {
    const role: Role | null = JSON.parse(key).role;
    const document = openApi(version);
    // What may be done depends on the role; on id and attributes, which records it may be done with.
    const subject = role && { id: "", role, attributes: {} };
    return gzipped(JSON.stringify(subject ? withTables(document, model(), subject) : document));
  }, DESCRIPTIONS_MAX);
  return async (identity: Pick<Identity, "subject"> | null) => {
    const role = identity?.subject.role ?? null;
    const document = await made(JSON.stringify({ role, model: role && model().version }));
    return new Reply(undefined as never, { gzipped: document });
  };
}
