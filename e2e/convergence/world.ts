import type { Person } from "../harness/person.ts";
import { type Arena, type Lane, shiftingGrants } from "./arena.ts";
import type { Dice } from "./dice.ts";
import { type Ground, OUT_OF_REACH } from "./moves.ts";
import type { Player } from "./player.ts";

export interface Scene {
  arena: Arena;
  lane: Lane;
  ground: Ground;
  players: readonly Player[];
}

/** What happens around the players: other programs write, roles change. */
const events: readonly (readonly [number, (scene: Scene, dice: Dice) => Promise<void>])[] = [
  [6, writeOne],
  [2, writeMany],
  [2, insertOne],
  [2, deleteOne],
  [1, rollBack],
  [2, writeOutside],
  [2, changeRole],
  [2, changeGrants],
  [1, changeAttributes],
];

/** Whom Postgres chose as the victim of a deadlock begins again, as any program that writes has to. */
export async function happen(scene: Scene, dice: Dice): Promise<void> {
  const event = dice.draw(events);
  for (let tries = 1; ; tries += 1) {
    try {
      return await event(scene, dice);
    } catch (error) {
      const isVictim = (error as { code?: string }).code === DEADLOCK;
      if (!isVictim || tries >= VICTIM_TRIES) throw error;
      await scene.lane.program.query("rollback");
    }
  }
}

const DEADLOCK = "40P01";
const VICTIM_TRIES = 5;

async function writeOne({ lane, ground }: Scene, dice: Dice): Promise<void> {
  const field = dice.pick(["title", "location", "notes"]);
  const text = `update incidents set ${field} = $1 where id = $2`;
  await lane.program.query(text, [ground.unique(), dice.pick(ground.records)]);
}

/** One statement, many records, some of which leave the view or enter it. */
async function writeMany({ lane, ground }: Scene, dice: Dice): Promise<void> {
  const text = "update incidents set impact = $1 where id = any($2)";
  const records = ground.records.filter(() => dice.next() < 0.3);
  await lane.program.query(text, [dice.pick(["1 - High", "3 - Low"]), records]);
}

async function insertOne({ lane, ground }: Scene): Promise<void> {
  const id = `${ground.tag}-x${ground.records.length}`;
  ground.records.push(id);
  const text = "insert into incidents (id, title, category) values ($1, $2, $3)";
  await lane.program.query(text, [id, ground.unique(), ground.tag]);
}

async function deleteOne({ lane, ground }: Scene, dice: Dice): Promise<void> {
  await lane.program.query("delete from incidents where id = $1", [dice.pick(ground.records)]);
}

async function rollBack({ lane, ground }: Scene): Promise<void> {
  await lane.program.query("begin");
  const text = "update incidents set title = 'never' where category = $1";
  await lane.program.query(text, [ground.tag]);
  await lane.program.query("rollback");
}

/** A record that is never within the narrow role's reach. */
async function writeOutside({ lane, ground }: Scene): Promise<void> {
  const text = `insert into incidents (id, title, category, impact) values ($1, $2, $3, '3 - Low')
    on conflict (id) do update set title = excluded.title`;
  const title = `${ground.unique()}${OUT_OF_REACH}`;
  await lane.program.query(text, [`${ground.tag}-outside`, title, ground.tag]);
}

/** What somebody may not do any more is refused, and what they may not see any more leaves. */
async function changeRole({ arena, lane, players }: Scene, dice: Dice): Promise<void> {
  const player = dice.pick(players);
  const { shiftingRole } = lane;
  const role = dice.pick(["viewer", "editor", "admin", arena.narrowRole, shiftingRole]);
  if (player.isBlind) return;
  if (role === shiftingRole) player.lostSight = "all";
  else if (role === arena.narrowRole && player.lostSight === "nothing") player.lostSight = "narrow";
  await setRole(lane, player.person, role);
}

/** A role's grants change under everybody who has it: fields go, rows go, the table goes and comes back. */
async function changeGrants({ lane }: Scene, dice: Dice): Promise<void> {
  await setGrants(lane, dice.pick(shiftingGrants));
}

/** Other rows are theirs, by a row filter that asks for an attribute. */
async function changeAttributes({ lane, players }: Scene, dice: Dice): Promise<void> {
  const { id } = dice.pick(players).person.info;
  const level = dice.pick(["1 - High", "2 - Medium", null]);
  const text = `update watchfloor."user" set attributes = $1 where id = $2`;
  await lane.program.query(text, [JSON.stringify(level === null ? {} : { level }), id]);
}

/** In the end everybody can read the table again, as far as their role goes: screens are held against queries. */
export async function settleGrants(lane: Lane, dice: Dice): Promise<void> {
  await setGrants(lane, dice.pick(shiftingGrants.slice(0, -1)));
}

async function setGrants({ program, shiftingRole }: Lane, grants: object | undefined) {
  const text = "update watchfloor.role set grants = $1 where id = $2";
  await program.query(text, [JSON.stringify(grants), shiftingRole]);
}

export async function setRole({ program }: Lane, person: Person, role: string) {
  const text = `update watchfloor."user" set role = $1 where id = $2`;
  await program.query(text, [role, person.info.id]);
}
