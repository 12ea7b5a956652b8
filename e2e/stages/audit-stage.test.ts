import { describe, expect, it } from "vitest";
import { evaluateAudit } from "./audit-stage.ts";

const answer = (vulnerabilities: object) => JSON.stringify({ metadata: { vulnerabilities } });

describe("the stage of advisories", () => {
  it("fails by a high or critical one, and not by lesser ones", () => {
    expect(evaluateAudit(answer({ moderate: 3, high: 1, critical: 0 })).failed).toBe(1);
    expect(evaluateAudit(answer({ high: 0, critical: 1 })).failed).toBe(1);
    expect(evaluateAudit(answer({ low: 2, moderate: 3, high: 0, critical: 0 }))).toMatchObject({
      passed: 1,
      failed: 0,
    });
  });
  it("counts nothing as passed if the registry has no advisories", () => {
    for (const output of ["", "not json", JSON.stringify({ statusCode: 405, error: {} })]) {
      const result = evaluateAudit(output);
      expect([result.passed, result.failed]).toEqual([0, 0]);
      expect(result.remark).toContain("not checked");
    }
  });
});
