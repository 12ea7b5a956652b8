import { expect, it } from "vitest";
import { proofParts } from "../e2e/suite/proof-parts.ts";
import { floodBenches } from "./flood.ts";

it("measures each flood and each attack in the proof", () => {
  const measured = proofParts.flatMap(({ benches = [] }) => benches);
  const names = Object.keys(floodBenches);
  expect(names.length).toBeGreaterThan(20);
  expect(measured.filter((name) => /^(?:flood|attacks):/.test(name))).toEqual(names);
});
