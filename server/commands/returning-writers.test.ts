import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReturningWriters } from "./returning-writers.ts";

const GROUP_MS = 8;

describe("writers who return at once", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Groups of a committer: mutations arrive, and a group takes all of them and answers them. */
  function queue() {
    let unanswered = 0;
    const writers = new ReturningWriters(() => unanswered);
    for (let group = 0; group < 20; group += 1) writers.noteGroup(GROUP_MS);
    const arrive = (count: number) => {
      for (let one = 0; one < count; one += 1) {
        unanswered += 1;
        writers.noteArrival();
      }
    };
    /** Begins a group, during which `more` arrive. */
    const commit = (more: number) => {
      const taken = unanswered;
      vi.advanceTimersByTime(GROUP_MS);
      arrive(more);
      unanswered -= taken;
      writers.noteGroup(GROUP_MS);
    };
    /** Whether the next group has begun. */
    const begin = () => {
      const state = { hasBegun: false };
      const waiting = writers.beforeGroup();
      state.hasBegun = waiting === null;
      void waiting?.then(() => {
        state.hasBegun = true;
      });
      return state;
    };
    const turn = () => vi.advanceTimersByTimeAsync(0);
    return { arrive, commit, begin, turn };
  }

  it("share each group, once all who were answered have sent again", async () => {
    const { arrive, commit, begin, turn } = queue();
    arrive(5);
    expect(begin().hasBegun).toBe(true);
    commit(5);
    const next = begin();
    arrive(4);
    await turn();
    expect(next.hasBegun).toBe(false);
    arrive(1);
    await turn();
    expect(next.hasBegun).toBe(true);
  });

  it("are waited for when nobody else is left, too", async () => {
    const { arrive, commit, begin, turn } = queue();
    arrive(2);
    expect(begin().hasBegun).toBe(true);
    commit(0);
    arrive(1);
    const next = begin();
    expect(next.hasBegun).toBe(false);
    arrive(1);
    await turn();
    expect(next.hasBegun).toBe(true);
  });

  it("are waited for during a part of a group's time only, and less and less often in vain", async () => {
    const { arrive, commit, begin } = queue();
    arrive(2);
    begin();
    let waited = 0;
    for (let group = 0; group < 100; group += 1) {
      commit(2);
      const next = begin();
      if (!next.hasBegun) waited += 1;
      await vi.advanceTimersByTimeAsync(GROUP_MS / 2);
      expect(next.hasBegun).toBe(true);
    }
    expect(waited).toBeGreaterThan(4);
    expect(waited).toBeLessThan(12);
  });

  it("are not waited for by a lone writer, after a pause, or where a group is large enough", () => {
    const { arrive, commit, begin } = queue();
    arrive(1);
    expect(begin().hasBegun).toBe(true);
    commit(0);
    arrive(1);
    expect(begin().hasBegun).toBe(true);
    commit(3);
    vi.advanceTimersByTime(GROUP_MS);
    expect(begin().hasBegun).toBe(true);
    commit(200);
    expect(begin().hasBegun).toBe(true);
  });
});
