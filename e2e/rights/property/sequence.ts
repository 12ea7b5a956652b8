import { SeededRandom } from "../../convergence/seeded-random.ts";
import { Administration } from "./administration.ts";
import { ChangingModel, newTable } from "./changing-model.ts";
import { LiveCalls } from "./live-calls.ts";
import { viewer } from "./random-grants.ts";
import { RecordCalls } from "./record-calls.ts";
import type { RefUser } from "./reference.ts";
import type { Actor, RightsWorld } from "./rights-world.ts";

const STEPS = 20;
const RECORDS = 4;

/** How often calls of actors succeeded: a sequence that refuses all proves nothing. */
export interface Tally {
  permitted: Record<string, number>;
  refused: Record<string, number>;
}

/** A user of the sequence, and what the reference knows of them. */
export interface Player {
  actor: Actor;
  user: RefUser;
  /** What they wrote themselves: an answer may repeat it. */
  description: Set<string>;
}

/** What the parts of a sequence share. */
export interface SequenceContext {
  world: RightsWorld;
  random: SeededRandom;
  model: ChangingModel;
  players: Player[];
  tally: Tally;
  /** A text that can be recognised wherever it leaks. */
  mark(): string;
  /** Fails with what was done so far. */
  fail(what: string): never;
}

/**
 * Plays one random sequence of calls, rights and model changes. Throws if an answer contains what its reader
 * may not know by the reference, if a write was applied that it does not allow, or the other way round, and
 * if a permitted call left a user with more rights than its author had.
 */
export async function playSequence(world: RightsWorld, seed: number, tally: Tally): Promise<void> {
  const random = new SeededRandom(seed);
  const model = new ChangingModel(world, random);
  const done: string[] = [];
  let marks = 0;
  const players = world.actors.map((actor): Player => {
    return { actor, user: { id: actor.id, role: viewer, team: null }, description: new Set() };
  });
  const context: SequenceContext = {
    world,
    random,
    model,
    players,
    tally,
    mark: () => `v${seed}q${++marks}z`,
    fail(what) {
      throw new Error(`seed ${seed}: ${what}\n  after ${done.join("\n  ")}`);
    },
  };
  const records = new RecordCalls(context);
  const live = new LiveCalls(context);
  const administration = new Administration(context);
  model.tables = [newTable("alpha"), newTable("beta")];
  await model.publish();
  for (const table of model.tables) await records.fill(table, RECORDS);
  await administration.begin();
  try {
    for (let step = 0; step < STEPS; step++) {
      const player = random.pick(players);
      const call = random.draw([
        [4, () => records.readPage(player)],
        [2, () => records.readRecord(player)],
        [2, () => records.readHistory(player)],
        [2, () => records.readChanges(player)],
        [1, () => records.readModel(player)],
        [5, () => records.update(player)],
        [2, () => records.create(player)],
        [2, () => records.remove(player)],
        [2, () => records.restore(player)],
        [3, () => records.transition(player)],
        [2, () => live.follow(player)],
        [2, () => live.watch(player)],
        [2, () => administration.makeRole(player)],
        [4, () => administration.changeRole(player)],
        [3, () => administration.changeUser(player)],
        [1, () => administration.inviteUser(player)],
        [2, () => administration.resetPassword(player)],
        [1, () => administration.ownerChanges()],
        [
          3,
          async () => {
            const { description, made, restored, freed } = await model.change();
            administration.follow(freed);
            for (const table of made) await records.fill(table, RECORDS);
            done.push(`the model: ${description}`);
            const reads = restored.flatMap((table) =>
              players.map((one) => records.readChanges(one, table)),
            );
            return ["what it restored:", ...(await Promise.all(reads))].join("\n  ");
          },
        ],
      ] as const);
      done.push(await call());
    }
  } finally {
    await administration.end();
  }
}
