import { describe, expect, it } from "vitest";
import { judgeAudit } from "./audit-stage.ts";

const told = (vulnerabilities: object) => JSON.stringify({ metadata: { vulnerabilities } });

describe("the stage of advisories", () => {
  it("fails by a high or critical one, and not by lesser ones", () => {
    expect(judgeAudit(told({ moderate: 3, high: 1, critical: 0 })).failed).toBe(1);
    expect(judgeAudit(told({ high: 0, critical: 1 })).failed).toBe(1);
    expect(judgeAudit(told({ low: 2, moderate: 3, high: 0, critical: 0 })).failed).toBe(0);
  });
  it("passes where the registry has nothing to tell", () => {
    for (const output of ["", "not json", JSON.stringify({ statusCode: 405, error: {} })]) {
      expect(judgeAudit(output)).toEqual({ passed: 1, failed: 0 });
    }
  });
});
