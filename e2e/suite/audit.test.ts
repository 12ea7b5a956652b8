import { describe, expect, it } from "vitest";
import { evaluateAudit } from "./audit.ts";

const answer = (vulnerabilities: object) => JSON.stringify({ metadata: { vulnerabilities } });

describe("the check of advisories", () => {
  it("fails by a high or critical one, and not by lesser ones", () => {
    for (const counts of [
      { moderate: 3, high: 1, critical: 0 },
      { high: 0, critical: 1 },
    ]) {
      expect(evaluateAudit(answer(counts)).outcome).toBe("failed");
    }
    expect(evaluateAudit(answer({ low: 2, moderate: 3, high: 0, critical: 0 })).outcome).toBe(
      "passed",
    );
  });

  it("counts nothing as passed if the registry has no advisories", () => {
    for (const output of ["", "not json", JSON.stringify({ statusCode: 405, error: {} })]) {
      expect(evaluateAudit(output).outcome).toBe("not checked");
    }
  });
});
