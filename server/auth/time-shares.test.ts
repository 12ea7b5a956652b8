import { beforeEach, describe, expect, it } from "vitest";
import { TimeShares } from "./time-shares.ts";

let now = 0;
let shares: TimeShares;
beforeEach(() => {
  now = 0;
  shares = new TimeShares({ share: 0.5, burstMs: 100 }, () => now);
});

describe("shares of the server's time", () => {
  it("are without bound for a user who is alone", () => {
    shares.noteActivity("ann");
    shares.charge("ann", 1_000);
    expect(shares.delayMs("ann")).toBe(0);
    expect(shares.isHeavy("ann")).toBe(false);
  });

  it("delay who has used more than the burst while somebody else is active", () => {
    for (const user of ["ann", "bob", "ann"]) shares.noteActivity(user);
    shares.charge("ann", 100);
    expect([shares.isHeavy("ann"), shares.delayMs("ann")]).toEqual([true, 0]);
    shares.charge("ann", 50);
    expect(shares.delayMs("ann")).toBe(100);
    expect([shares.isHeavy("bob"), shares.delayMs("bob")]).toEqual([false, 0]);
    now += 100;
    expect(shares.delayMs("ann")).toBe(0);
  });

  it("hold no more than four bursts against a user", () => {
    shares.charge("ann", 60_000);
    shares.noteActivity("bob");
    expect(shares.delayMs("ann")).toBe(600);
  });

  it("end two seconds after the last call of somebody else", () => {
    for (const user of ["bob", "ann"]) shares.noteActivity(user);
    shares.charge("ann", 10_000);
    now += 1_999;
    shares.noteActivity("ann");
    expect(shares.hasOthers("ann")).toBe(true);
    now += 1;
    expect(shares.hasOthers("ann")).toBe(false);
  });

  it("delay long work once, however many calls its user makes meanwhile", async () => {
    shares.noteActivity("bob");
    shares.charge("ann", 105);
    // The clock does not move, as if other programs of ann's used all that is forgotten.
    await shares.untilWithin("ann");
    expect(shares.delayMs("ann")).toBe(10);
  });
});
