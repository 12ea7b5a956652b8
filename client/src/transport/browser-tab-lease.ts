import { readFromBrowser, storeInBrowser } from "./storage/browser-storage.ts";
import { singleTabLease, type TabLease } from "./tab-lease.ts";

const TAB_KEY = "watchfloor.tab";
const HEARTBEAT_PREFIX = "watchfloor.tab.";
const HEARTBEAT_MS = 5_000;
/** Browsers wake the timers of a hidden tab only once a minute; an open tab is never assumed to be closed. */
const GONE_AFTER_MS = 150_000;

/**
 * A lease for this tab. With Web Locks, a tab is alive as long as it holds the lock of its name, and
 * taking over is exact. Browsers offer them to https and localhost only: elsewhere tabs write a beat
 * to local storage. There two tabs may take over the same edits, which the same ids make harmless.
 */
export function createBrowserTabLease(tab: string): TabLease {
  const known = rememberTab(tab);
  if ("locks" in navigator) return lockLease(known);
  const hasStorage = storeInBrowser(HEARTBEAT_PREFIX, "") && storeInBrowser(HEARTBEAT_PREFIX, null);
  return hasStorage ? heartbeatLease(known) : singleTabLease(known);
}

/** The same tab has the same name after a reload, so that its edits are its own again at once. */
function rememberTab(tab: string): string {
  const known = readFromBrowser(TAB_KEY, "session") ?? tab;
  // A duplicated tab comes with a copy of the name: it is consumed while the tab lives.
  storeInBrowser(TAB_KEY, null, "session");
  addEventListener("pagehide", () => storeInBrowser(TAB_KEY, known, "session"));
  return known;
}

function lockLease(tab: string): TabLease {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const name = (other: string) => `${HEARTBEAT_PREFIX}${other}`;
  // Refused where storage is blocked: then there are no edits of other tabs to take over either.
  navigator.locks.request(name(tab), () => held).catch(() => {});
  return {
    tab,
    takeOver: (other, take) =>
      navigator.locks.request(name(other), { ifAvailable: true }, async (lock) => {
        if (lock) await take();
        return lock !== null;
      }),
    release: () => release(),
  };
}

function heartbeatLease(tab: string): TabLease {
  const sendHeartbeat = () => storeInBrowser(HEARTBEAT_PREFIX + tab, String(Date.now()));
  sendHeartbeat();
  const timer = setInterval(sendHeartbeat, HEARTBEAT_MS);
  return {
    tab,
    async takeOver(other, take) {
      const lastHeartbeat = Number(readFromBrowser(HEARTBEAT_PREFIX + other) ?? 0);
      if (Date.now() - lastHeartbeat < GONE_AFTER_MS) return false;
      storeInBrowser(HEARTBEAT_PREFIX + other, null);
      await take();
      return true;
    },
    release() {
      clearInterval(timer);
      storeInBrowser(HEARTBEAT_PREFIX + tab, null);
    },
  };
}
