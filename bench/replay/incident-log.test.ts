import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readIncidentLog } from "./incident-log.ts";

it("the excerpt in the repository has 40 incidents with every change of state of the log", async () => {
  const excerpt = fileURLToPath(new URL("data/incident-log-excerpt.csv", import.meta.url));
  const log = await readIncidentLog(excerpt);
  const states = new Map<string, unknown>();
  const stateChanges = new Set<string>();
  for (const { incident, values } of log) {
    const before = states.get(incident);
    if (before !== undefined && before !== values.state)
      stateChanges.add(`${before} → ${values.state}`);
    states.set(incident, values.state);
  }
  expect([log.length, states.size, stateChanges.size]).toEqual([290, 40, 22]);
});
