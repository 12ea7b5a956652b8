import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { cpuTimeOf } from "./cpu-time.ts";

const READINGS = proofSize(150, 500);

if (existsSync("/proc/self/stat")) {
  it("never loses or counts twice a child that ends while it reads", async () => {
    // Its children end in pairs.
    const parent = spawn("bash", [
      "-c",
      "while :; do (for ((i = 0; i < 9000; i++)); do :; done) & (for ((i = 0; i < 9000; i++)); do :; done) & wait; done",
    ]);
    const readings: number[] = [];
    for (let reading = 0; reading < READINGS; reading += 1) {
      readings.push(cpuTimeOf([parent.pid as number]) as number);
      await nextTurn();
    }
    parent.kill("SIGKILL");
    await once(parent, "exit");
    const drops = readings.filter((value, index) => value < (readings[index - 1] ?? 0));
    expect(drops).toEqual([]);
    expect(readings.at(-1)).toBeGreaterThan(readings[0] as number);
  });
} else {
  it("not applicable here: this system has no /proc", () => {});
}
