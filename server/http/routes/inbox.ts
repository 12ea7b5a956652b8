import type { inboxRoutes } from "../../../shared/protocol/inbox.ts";
import { markInboxRead, readInbox } from "../../notifications/inbox.ts";
import { changeSettings, settingsOf, toAnswer, unsubscribe } from "../../notifications/settings.ts";
import { addWatch, myWatches, removeWatch } from "../../notifications/watches.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed } from "../handlers.ts";

export function inboxHandlers({ notifications }: AppDeps): Handlers<typeof inboxRoutes> {
  return {
    "GET /inbox": ({ identity, query }) => readInbox(notifications, identity, query),
    "POST /inbox/read": ({ identity, body }) => markInboxRead(notifications, identity, body),
    "GET /watches": async ({ identity }) => listed(await myWatches(notifications, identity)),
    "PUT /watches": ({ identity, body }) => addWatch(notifications, identity, body),
    "DELETE /watches/{id}": ({ identity, params }) =>
      removeWatch(notifications, identity, params.id),
    "GET /me/notifications": async ({ me }) => toAnswer(await settingsOf(notifications, me.id)),
    "PUT /me/notifications": ({ me, body }) => changeSettings(notifications, me.id, body),
    "POST /unsubscribe/{token}": ({ params }) => unsubscribe(notifications, params.token),
  };
}
