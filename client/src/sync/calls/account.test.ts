import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account } from "../../state/account.ts";
import { accountAtom } from "../../state/account.ts";
import { knownAccountData } from "../../state/known-account.ts";
import { store } from "../../state/store.ts";
import { refreshAccount } from "./account.ts";

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

  it("is never replaced by another user's: the page is left", async () => {
    const assign = vi.fn();
    vi.stubGlobal("location", { assign });
    current = ofUser("bob", 1);
    await refreshAccount();
    expect(assign).toHaveBeenCalledWith("/");
    expect(shown().session.user.id).toBe("ann");
  });
});
