import { describe, expect, it } from "vitest";
import { SeededRandom } from "../convergence/seeded-random.ts";
import { type DatabaseKind, databases } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { verifyWorld } from "./check-world.ts";
import { steps } from "./crossing-steps.ts";
import { CrossingWorld } from "./crossing-world.ts";

const STEPS = proofSize(40, 150);
const SEQUENCES = proofSize(1, 20);
const TIMEOUT_MS = 5_400_000;

describe.each(databases)("features that cross each other on $name", (kind) => {
  it(`agree after each of ${STEPS} random steps`, { timeout: TIMEOUT_MS }, async () => {
    for (let index = 0; index < SEQUENCES; index++) await play(kind, runSeed + index);
  });
});

async function play(kind: DatabaseKind, seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  await using world = await CrossingWorld.open(kind, random);
  const journal: string[] = [];
  try {
    await verifyWorld(world);
    for (let made = 0; made < STEPS; made++) {
      const [name, step] = random.draw(steps.map(([weight, ...rest]) => [weight, rest] as const));
      journal.push(name);
      journal.push(`${journal.pop()}: ${await step(world)}`);
      await verifyWorld(world);
    }
  } catch (error) {
    throw new Error(`Seed ${seed}: ${error}\nafter\n${journal.join("\n")}`, { cause: error });
  }
  expect(journal.length).toBe(STEPS);
}
