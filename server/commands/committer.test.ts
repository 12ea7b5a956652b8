import { describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import { builtInRoles } from "../../shared/policy/role.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { BACKLOG_MIN, TimeShares } from "../load/budget.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import type { LoadedRows, LoadRequest } from "../store/load-for-write.ts";
import type { WriteSession } from "../store/write-session.ts";
import { Committer, type CommitterOptions } from "./committer.ts";
import type { Mutation } from "./op.ts";

const role = { id: "nothing", name: "Nothing", grants: {}, rights: [] };
const model = { ...serviceDesk, version: 1 };

/** A mutation that its author has no right to: refused as soon as it is evaluated. */
function mutation(id: string, record: string): Mutation {
  const author = { kind: "user", id: "ann", name: "Ann" } as const;
  const op = { op: "update" as const, table: "incidents", record, set: {}, base: {} };
  const subject = { id: "ann", role, attributes: {} } as never;
  return { id, atomic: false, ops: [op], subject, actor: "user:ann", author, origin: "api" };
}

/** A connection that stores nothing; `locked` are records that another program has locked. */
function fakeSession(locked: ReadonlySet<string>, begin: () => Promise<void>) {
  const session: Partial<WriteSession> = {
    async begin({ records, lock }: LoadRequest): Promise<LoadedRows> {
      await begin();
      const busy = records.flatMap(({ ids }) => ids).filter((id) => locked.has(id));
      return {
        feeds: new Map([["incidents", { epoch: "e1", head: 1 }]]),
        records: new Map(),
        locked: new Map(lock === "wait" ? [] : [["incidents", new Set(busy)]]),
        targets: new Map(),
        uniques: new Map(),
        keys: new Map(),
        mutations: [],
        modelVersion: model.version,
      };
    },
    load: async (request: LoadRequest) => fakeSession(new Set(), async () => {}).begin(request),
    finish: async () => ({ changes: [], feeds: [], isWhole: true }),
    write: async () => true,
    savepoint: async () => {},
    releaseSavepoint: async () => {},
    rollbackToSavepoint: async () => {},
    rollback: async () => {},
  };
  return session as WriteSession;
}

function committerOn(
  session: WriteSession,
  patient: WriteSession[],
  failures: unknown[] = [],
  shares = new TimeShares({ share: 1, burstMs: 1 }),
  onCommit: CommitterOptions["onCommit"] = () => {},
) {
  return new Committer({
    session,
    contendedSessions: patient,
    model: Object.assign(() => model, {
      refresh: async () => {},
      refreshAfterFailure: async () => {},
      onChange: () => () => {},
    }),
    limits: { ...defaultLimits, COMMIT_CALL_TIMEOUT_MS: 2_000_000 },
    shares,
    isAsSent: async () => true,
    onCommit,
    onFailure(error) {
      failures.push(error);
      return new Refusal("internal");
    },
  });
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};
const codes = (results: readonly OpResult[]) =>
  results.map((result) => (result.ok ? "ok" : result.error.code));

const codeOf = (error: Refusal) => error.code;

describe("the committer", () => {
  it("starts with a mutation that arrives the moment the last group ends", async () => {
    for (let moment = 0; moment < 40; moment += 1) {
      const unlocked = Promise.withResolvers<void>();
      const patient = fakeSession(new Set(), () => unlocked.promise);
      const committer = committerOn(
        fakeSession(new Set(["locked"]), async () => {}),
        [patient],
      );
      const held = [committer.commit(mutation("m1", "locked"))];
      await turns(200);
      // Held behind the first one: its group is empty, and ends within this turn.
      held.push(committer.commit(mutation("m2", "locked")));
      await turns(moment);
      expect(codes(await committer.commit(mutation("m3", "free")))).toEqual(["not_found"]);
      unlocked.resolve();
      for (const answer of held) expect(codes(await answer)).toEqual(["not_found"]);
    }
  });

  it("answers before it passes on what was committed, in order, and has passed on all when drained", async () => {
    const events: string[] = [];
    const failures: unknown[] = [];
    const session = fakeSession(new Set(), async () => {});
    session.finish = async (_, [row]) => ({
      changes: [],
      feeds: [{ table: `fan-out ${row?.id}`, span: null }],
      isWhole: true,
    });
    const committer = committerOn(session, [], failures, undefined, ([feed]) => {
      events.push(feed?.table ?? "");
      throw new Error("A subscriber failed.");
    });
    const commit = (id: string) =>
      committer.commit(mutation(id, id)).then(() => events.push(`answer ${id}`));
    await commit("m1");
    await commit("m2");
    await committer.drain();
    expect(events).toEqual(["answer m1", "answer m2", "fan-out m1", "fan-out m2"]);
    expect(failures).toHaveLength(2);
  });

  it("answers each mutation also if every attempt fails, and accepts it again", async () => {
    let isBroken = true;
    const broken = async () => {
      if (isBroken) throw new Error("The connection is in pieces.");
    };
    const session = fakeSession(new Set(), broken);
    session.rollback = broken;
    const failures: unknown[] = [];
    const committer = committerOn(session, [], failures);
    await expect(committer.commit(mutation("m1", "a"))).rejects.toMatchObject({ code: "internal" });
    expect(failures).toHaveLength(1);
    isBroken = false;
    expect(codes(await committer.commit(mutation("m1", "a")))).toEqual(["not_found"]);
  });

  it("answers a mutation that was set aside, if every attempt fails", async () => {
    let isBroken = true;
    const patient = fakeSession(new Set(), async () => {
      if (isBroken) throw new Error("The connection is in pieces.");
    });
    patient.rollback = async () => {
      if (isBroken) throw new Error("It can't even be given up.");
    };
    const committer = committerOn(
      fakeSession(new Set(["a"]), async () => {}),
      [patient],
    );
    await expect(committer.commit(mutation("m1", "a"))).rejects.toMatchObject({ code: "internal" });
    isBroken = false;
    expect(codes(await committer.commit(mutation("m1", "a")))).toEqual(["not_found"]);
  });

  it("M18 answers unavailable where the author's rights are looked up anew in each attempt, and accepts it again", async () => {
    let isRestless = true;
    let begun = 0;
    const session = fakeSession(new Set(), async () => {
      begun += 1;
      if (isRestless) committer.revoke(() => true);
    });
    session.cancel = () => {};
    const committer = committerOn(session, []);
    const commit = () => committer.commit(mutation("m1", "a"));
    await expect(commit()).rejects.toMatchObject({ code: "unavailable" });
    expect(begun).toBe(5);
    isRestless = false;
    expect(codes(await commit())).toEqual(["not_found"]);
    await committer.drain();
  });

  it("M18 answers unavailable where each attempt loses its connection", async () => {
    let begun = 0;
    const session = fakeSession(new Set(), async () => {
      begun += 1;
      throw Object.assign(new Error("Connection terminated"), { code: "ECONNRESET" });
    });
    Object.defineProperty(session, "connection", { get: () => ({}) });
    const committer = committerOn(session, []);
    await expect(committer.commit(mutation("m1", "a"))).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(begun).toBe(5);
  });

  it("M8 refuses the id of a mutation in flight with other content", async () => {
    const committer = committerOn(
      fakeSession(new Set(), async () => {}),
      [],
    );
    const first = committer.commit(mutation("m1", "a"));
    await expect(committer.commit(mutation("m1", "b"))).rejects.toMatchObject({
      code: "mutation_mismatch",
    });
    expect(codes(await first)).toEqual(["not_found"]);
  });

  it("M18 never begins what it has answered unavailable before it began", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let begun = 0;
    const unlocked = Promise.withResolvers<void>();
    const session = fakeSession(new Set(), async () => {
      begun += 1;
      await unlocked.promise;
    });
    const committer = committerOn(session, []);
    const waiting = ["m1", "m2"].map((id) => committer.commit(mutation(id, id)).catch(codeOf));
    await vi.advanceTimersByTimeAsync(2_000_000);
    expect(await Promise.all(waiting)).toEqual(["unavailable", "unavailable"]);
    unlocked.resolve();
    const drained = committer.drain();
    await vi.runAllTimersAsync();
    await drained;
    expect(begun).toBe(1);
  });

  it("reads the history that all ops of an atomic mutation depend on at once", async () => {
    const session = fakeSession(new Set(), async () => {});
    const query = vi.fn(async () => ({ rows: [] }));
    session.query = query as never;
    const ops = Array.from({ length: 50 }, (_, n) => {
      return { op: "restore" as const, table: "incidents", record: `deleted ${n}` };
    });
    const editor = builtInRoles.find(({ id }) => id === "editor");
    const subject = { id: "ann", role: editor, attributes: {} } as never;
    const committer = committerOn(session, []);
    const restored = committer.commit({ ...mutation("m1", "a"), ops, subject, atomic: true });
    expect(codes(await restored)).toEqual(["not_found", ...Array(49).fill("aborted")]);
    expect(query).toHaveBeenCalledTimes(1);
  });

  it("commits a backlog that waits for its user's share after the others, and before it has drained", async () => {
    const shares = new TimeShares({ share: 1, burstMs: 10 });
    const committer = committerOn(
      fakeSession(new Set(), async () => {}),
      [],
      [],
      shares,
    );
    const bob = {
      ...mutation("b1", "b"),
      subject: { id: "bob", role, attributes: {} } as never,
    };
    const answered: string[] = [];
    const note = (id: string) => () => answered.push(id);
    shares.noteActivity("bob");
    shares.charge("ann", 40);
    const ids = Array.from({ length: BACKLOG_MIN * 2 }, (_, n) => `a${n}`);
    const backlog = ids.map((id) => committer.commit(mutation(id, "a")).then(note(id)));
    const other = committer.commit(bob).then(note("b1"));
    await committer.drain();
    await Promise.all([...backlog, other]);
    expect(answered.indexOf("b1")).toBeLessThanOrEqual(BACKLOG_MIN);
    expect(answered).toHaveLength(ids.length + 1);
  });
});
