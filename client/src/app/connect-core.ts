import type { Field } from "../../../shared/model/model.ts";
import { type Account, accountAtom } from "../state/account.ts";
import { connectionAtom, modelUpdatesAtom, onReturn } from "../state/connection-state.ts";
import { knownAccountData } from "../state/known-account.ts";
import { store } from "../state/store.ts";
import { readFromTab, storeInTab } from "../state/tab-storage.ts";
import { onUpdate } from "../state/updates.ts";
import { endSession, refreshAccount, resumeSession } from "../sync/calls/account.ts";
import { moveRecords } from "../sync/calls/move-records.ts";
import type { ClientCore } from "../sync/client-core.ts";
import { createClientCore } from "../sync/create-client-core.ts";
import { newId } from "../sync/new-id.ts";
import { hasPageCore, pageCore, setPageCore } from "../sync/page/page-core.ts";
import { pageLabels } from "../sync/page/page-labels.ts";
import { wallboardApi } from "../sync/wallboards/wallboards.ts";
import { createBrowserTabLease } from "../transport/browser-tab-lease.ts";
import { createIndexedEditStorage } from "../transport/indexed-edit-storage.ts";
import { rest, UNAUTHENTICATED_EVENT } from "../transport/rest/rest.ts";
import { createSocketTransport } from "../transport/socket-transport.ts";
import { browserStorage } from "../transport/storage/browser-storage.ts";
import { problemText } from "../ui/problem-text.ts";

/**
 * Connects the client core to the account: creates it at sign-in, stops it at sign-out, reconnects it after a session
 * ended, and reloads the account when session or model change. Called once, outside React, so that the core exists
 * before the first screen uses it.
 */
export function connectCore(): void {
  store.sub(accountAtom, () => followAccount(store.get(accountAtom)));
  store.sub(connectionAtom, () => {
    if (store.get(connectionAtom).kind === "signedOut") endSession();
  });
  store.sub(modelUpdatesAtom, () => void refreshAccount());
  refreshAfterReturn();
  addEventListener("pagehide", () => hasPageCore() && pageCore().storeBeforeLeaving());
  // A phone ends a page in the background without another event.
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && hasPageCore()) pageCore().storeBeforeLeaving();
  });
  addEventListener("beforeunload", (event) => {
    if (hasPageCore() && !pageCore().storeBeforeLeaving()) event.preventDefault();
  });
  onUpdate(["labels", "people"], (notice) => pageLabels().outdateBy(notice));
  addEventListener("storage", ({ key }) => {
    if (key !== null && hasPageCore()) pageCore().texts.changedElsewhere(key);
  });
  addEventListener(UNAUTHENTICATED_EVENT, endSession);
  noteActivity();
  addEventListener("focus", () => void resumeSession());
  addEventListener("online", () => hasPageCore() && pageCore().setOnline(true));
  addEventListener("offline", () => hasPageCore() && pageCore().setOnline(false));
}

/** All clients reconnect at once after a restart: their requests are spread over this time. */
const RETURN_SPREAD_MS = 10_000;

/** Rights or model may have changed while the connection was down. */
function refreshAfterReturn(): void {
  onReturn(store, () => setTimeout(() => void refreshAccount(), Math.random() * RETURN_SPREAD_MS));
}

function followAccount(account: Account): void {
  if (account.kind === "ended") return;
  const user = account.kind === "signedIn" ? account.data.session.user.id : null;
  // An invitation may sign another user in on the same page.
  if (hasPageCore() && pageCore().userId !== user) stopCore();
  if (user === null) return;
  if (!hasPageCore()) {
    startCore(user);
    return;
  }
  pageCore().forgetHidden();
  pageLabels().forget();
  if (store.get(connectionAtom).kind === "signedOut") pageCore().reconnect();
}

function stopCore(): void {
  void pageCore().stop();
  setPageCore(null);
}

function startCore(user: string): void {
  pageLabels().forget();
  const core = createClientCore({
    transport: createSocketTransport({ user }),
    storage: createIndexedEditStorage(),
    lease: createBrowserTabLease(newId()),
    store,
    texts: browserStorage(),
    moveRecords,
    wallboards: { api: wallboardApi, describe: problemText },
    undo: {
      read: () => readFromTab(`undo.${user}`),
      write: (steps) => storeInTab(`undo.${user}`, steps),
    },
    context: () => {
      const data = knownAccountData();
      if (!data) throw new Error("Core without account");
      const { session, model } = data;
      const { user, limits, textOrder } = session;
      const labelOf = (field: Field, id: string) => pageLabels().known(field, id);
      return { user, model, limits, textOrder, labelOf };
    },
  });
  moveModelDraft(core);
  setPageCore(core);
  core.start();
}

/** Moves the draft of the model to where all drafts are. Earlier builds stored it for the tab. */
function moveModelDraft({ userId, documents }: ClientCore): void {
  const key = `model:${userId}`;
  const old = readFromTab(key);
  if (old === null) return;
  documents.put("model", () => old);
  if (documents.storeNow()) storeInTab(key, null);
}

const INTERVAL_MS = 60_000;

/** Prevents the idle end of the session while the user does something: what an open page reads by itself does not. */
function noteActivity(): void {
  let notedAt = performance.now();
  const note = () => {
    const isDue = performance.now() - notedAt >= INTERVAL_MS;
    if (!isDue || store.get(connectionAtom).kind !== "live") return;
    notedAt = performance.now();
    rest("GET /session").catch(() => undefined);
  };
  for (const event of ["pointerup", "keydown"]) addEventListener(event, note, { capture: true });
}
