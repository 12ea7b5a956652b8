import { Dice } from "../../convergence/dice.ts";
import { Administration } from "./administration.ts";
import { LiveCalls } from "./live-calls.ts";
import { MovingModel, newTable } from "./moving-model.ts";
import { viewer } from "./random-grants.ts";
import { RecordCalls } from "./record-calls.ts";
import type { RefUser } from "./reference.ts";
import type { Actor, RightsWorld } from "./rights-world.ts";

const STEPS = 20;
const RECORDS = 4;

/** How often calls of actors were answered as they wished: a sequence that refuses all proves nothing. */
export interface Tally {
  permitted: Record<string, number>;
  refused: Record<string, number>;
}

/** Somebody of the sequence: who calls, and what the reference knows of them. */
export interface Player {
  actor: Actor;
  user: RefUser;
  /** What they wrote themselves: an answer may repeat it. */
  said: Set<string>;
}

/** What the parts of a sequence share. */
export interface Scene {
  world: RightsWorld;
  dice: Dice;
  model: MovingModel;
  players: Player[];
  tally: Tally;
  /** A text that is found again wherever it leaks to. */
  mark(): string;
  /** Fails with what was done so far. */
  fail(what: string): never;
}

/**
 * Plays one random sequence of calls, rights and model changes. Throws where an answer holds what the reference
 * does not let its reader know, where a write was done that it does not allow, or the other way round, and
 * where a permitted call left somebody with more than its author had.
 */
export async function playSequence(world: RightsWorld, seed: number, tally: Tally): Promise<void> {
  const dice = new Dice(seed);
  const model = new MovingModel(world, dice);
  const done: string[] = [];
  let marks = 0;
  const players = world.actors.map((actor): Player => {
    return { actor, user: { id: actor.id, role: viewer, team: null }, said: new Set() };
  });
  const scene: Scene = {
    world,
    dice,
    model,
    players,
    tally,
    mark: () => `v${seed}q${++marks}z`,
    fail(what) {
      throw new Error(`seed ${seed}: ${what}\n  after ${done.join("\n  ")}`);
    },
  };
  const records = new RecordCalls(scene);
  const live = new LiveCalls(scene);
  const administration = new Administration(scene);
  model.tables = [newTable("alpha"), newTable("beta")];
  await model.publish();
  for (const table of model.tables) await records.fill(table, RECORDS);
  await administration.begin();
  try {
    for (let step = 0; step < STEPS; step++) {
      const player = dice.pick(players);
      const call = dice.draw([
        [4, () => records.readPage(player)],
        [2, () => records.readRecord(player)],
        [2, () => records.readHistory(player)],
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
            const { said, made } = await model.change();
            administration.follow();
            for (const table of made) await records.fill(table, RECORDS);
            return `the model: ${said}`;
          },
        ],
      ] as const);
      done.push(await call());
    }
  } finally {
    await administration.end();
  }
}
