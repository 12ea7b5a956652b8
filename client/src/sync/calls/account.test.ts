import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Account } from "../../state/account.ts";
import { accountAtom } from "../../state/account.ts";
import { knownAccountData } from "../../state/known-account.ts";
import { store } from "../../state/store.ts";
import { storeInTab } from "../../state/tab-storage.ts";
import { singleTabLease } from "../../transport/tab-lease.ts";
import type { ClientCore } from "../client-core.ts";
import { DraftStorage } from "../documents/draft-storage.ts";
import { setPageCore } from "../page/page-core.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { memoryTextStorage } from "../testing/memory-text-storage.ts";
import { hasUnsavedDrafts, refreshAccount, signOut } from "./account.ts";

const ofUser = (id: string, version: number) => ({
  session: { user: { id } },
  model: { version, tables: [] },
});

/** What the server answers, and how it refuses while it is in trouble. */
let current = ofUser("ann", 1);
let failure: Response | null = null;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  current = ofUser("ann", 1);
  failure = null;
  asked = 0;
  store.set(accountAtom, { kind: "signedIn", data: current } as unknown as Account);
  // Node has no window that events are dispatched at.
  vi.stubGlobal("dispatchEvent", () => true);
  vi.stubGlobal("fetch", async (address: string) => {
    asked += 1;
    if (failure) return failure.clone();
    return Response.json(address.endsWith("/session") ? current.session : current.model);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const problem = (status: number, code: string) => Response.json({ code, message: "" }, { status });
const shown = () => knownAccountData() as unknown as typeof current;

describe("the account of an open page", () => {
  it.each([
    ["unavailable", 503],
    ["rate_limited", 429],
    ["internal", 500],
  ])("is read again after %s until the server answers", async (code, status) => {
    current = ofUser("ann", 2);
    failure = problem(status, code);
    await refreshAccount();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(shown().model.version).toBe(1);
    failure = null;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(shown().model.version).toBe(2);
    const before = asked;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toBe(before);
  });

  it("is read by the newest request only while the server can't answer", async () => {
    failure = problem(503, "unavailable");
    for (let request = 0; request < 20; request += 1) await refreshAccount();
    asked = 0;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked).toBeLessThanOrEqual(6);
    expect(asked).toBeGreaterThan(0);
  });

  it("ends with the session, and is not read again", async () => {
    failure = problem(401, "unauthenticated");
    await refreshAccount();
    expect(store.get(accountAtom).kind).toBe("ended");
    const before = asked;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toBe(before);
  });

  it("is that of the newest request, whichever answer comes last", async () => {
    const former = current;
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.stubGlobal("fetch", async (address: string) => {
      await promise;
      return Response.json(address.endsWith("/session") ? former.session : former.model);
    });
    const late = refreshAccount();
    current = ofUser("ann", 2);
    vi.stubGlobal("fetch", async (address: string) =>
      Response.json(address.endsWith("/session") ? current.session : current.model),
    );
    await refreshAccount();
    vi.stubGlobal("fetch", async () => Response.json(former.model));
    resolve();
    await late;
    expect(shown().model.version).toBe(2);
  });

  it("is never replaced by another user's: the page is left, and nothing of it in its tab", async () => {
    const assign = vi.fn();
    const tab = memoryTextStorage();
    vi.stubGlobal("location", { assign });
    vi.stubGlobal("sessionStorage", tab);
    storeInTab("menu", "open");
    current = ofUser("bob", 1);
    await refreshAccount();
    expect(assign).toHaveBeenCalledWith("/");
    expect(shown().session.user.id).toBe("ann");
    storeInTab("menu", "open");
    expect([...tab.items]).toEqual([]);
  });

  it("that is signed out leaves no draft of a document behind, and its edits of wallboards for its next page", async () => {
    vi.stubGlobal("location", { assign() {} });
    const storage = memoryTextStorage();
    const lease = singleTabLease("tab");
    const of = { storage, lease, clock: new FakeClock(1), user: "ann", onStored() {} };
    const documents = new DraftStorage(of);
    setPageCore({ documents } as ClientCore);
    onTestFinished(() => setPageCore(null));
    for (const name of ["model", "wallboard.hall"]) documents.put(name, () => ({ changed: true }));
    expect(hasUnsavedDrafts()).toBe(true);
    await signOut();
    // As the page does when it is left.
    documents.storeNow();
    expect([hasUnsavedDrafts(), documents.documents()]).toEqual([false, ["wallboard.hall"]]);
  });
});
