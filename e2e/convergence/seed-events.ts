import type { TestUser } from "../harness/test-user.ts";
import type { Player } from "./player.ts";
import { type Fixture, OUT_OF_REACH } from "./player-actions.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { type Lane, shiftingGrants, type TestCluster } from "./test-cluster.ts";

export interface SeedContext {
  arena: TestCluster;
  lane: Lane;
  fixture: Fixture;
  players: readonly Player[];
}

/** What happens around the players: other programs write, roles change. */
const events: readonly (readonly [
  number,
  (context: SeedContext, random: SeededRandom) => Promise<void>,
])[] = [
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

/** The victim of a Postgres deadlock repeats its transaction, as any program that writes has to. */
export async function runEvent(context: SeedContext, random: SeededRandom): Promise<void> {
  const event = random.draw(events);
  for (let tries = 1; ; tries += 1) {
    try {
      return await event(context, random);
    } catch (error) {
      const isVictim = (error as { code?: string }).code === DEADLOCK;
      if (!isVictim || tries >= VICTIM_TRIES) throw error;
      await context.lane.program.query("rollback");
    }
  }
}

const DEADLOCK = "40P01";
const VICTIM_TRIES = 5;

async function writeOne({ lane, fixture }: SeedContext, random: SeededRandom): Promise<void> {
  const field = random.pick(["title", "location", "notes"]);
  const text = `update incidents set ${field} = $1 where id = $2`;
  await lane.program.query(text, [fixture.unique(), random.pick(fixture.records)]);
}

/** One statement, many records, some of which leave the view or enter it. */
async function writeMany({ lane, fixture }: SeedContext, random: SeededRandom): Promise<void> {
  const text = "update incidents set impact = $1 where id = any($2)";
  const records = fixture.records.filter(() => random.next() < 0.3);
  await lane.program.query(text, [random.pick(["1 - High", "3 - Low"]), records]);
}

async function insertOne({ lane, fixture }: SeedContext): Promise<void> {
  const id = `${fixture.tag}-x${fixture.records.length}`;
  fixture.records.push(id);
  const text = "insert into incidents (id, title, category) values ($1, $2, $3)";
  await lane.program.query(text, [id, fixture.unique(), fixture.tag]);
}

async function deleteOne({ lane, fixture }: SeedContext, random: SeededRandom): Promise<void> {
  await lane.program.query("delete from incidents where id = $1", [random.pick(fixture.records)]);
}

async function rollBack({ lane, fixture }: SeedContext): Promise<void> {
  await lane.program.query("begin");
  const text = "update incidents set title = 'never' where category = $1";
  await lane.program.query(text, [fixture.tag]);
  await lane.program.query("rollback");
}

/** A record that is never in the narrow role's scope. */
async function writeOutside({ lane, fixture }: SeedContext): Promise<void> {
  const text = `insert into incidents (id, title, category, impact) values ($1, $2, $3, '3 - Low')
    on conflict (id) do update set title = excluded.title`;
  const title = `${fixture.unique()}${OUT_OF_REACH}`;
  await lane.program.query(text, [`${fixture.tag}-outside`, title, fixture.tag]);
}

/** What a user may not do any more is refused, and what they may not see any more is removed. */
async function changeRole(
  { arena, lane, players }: SeedContext,
  random: SeededRandom,
): Promise<void> {
  const player = random.pick(players);
  const { shiftingRole } = lane;
  const role = random.pick(["viewer", "editor", "admin", arena.narrowRole, shiftingRole]);
  if (player.isNarrow) return;
  if (role === shiftingRole) player.lostVisibility = "all";
  else if (role === arena.narrowRole && player.lostVisibility === "nothing")
    player.lostVisibility = "narrow";
  await setRole(lane, player.user, role);
}

/** Changes the grants of a role with users: fields, rows and the table disappear and come back. */
async function changeGrants({ lane }: SeedContext, random: SeededRandom): Promise<void> {
  await setGrants(lane, random.pick(shiftingGrants));
}

/** Changes their rows, by a row filter that uses an attribute. */
async function changeAttributes(
  { lane, players }: SeedContext,
  random: SeededRandom,
): Promise<void> {
  const { id } = random.pick(players).user.info;
  const level = random.pick(["1 - High", "2 - Medium", null]);
  const text = `update watchfloor."user" set attributes = $1 where id = $2`;
  await lane.program.query(text, [JSON.stringify(level === null ? {} : { level }), id]);
}

/**
 * In the end everybody can read the table again, as far as their role allows: screens are compared with
 * queries.
 */
export async function restoreGrants(lane: Lane, random: SeededRandom): Promise<void> {
  await setGrants(lane, random.pick(shiftingGrants.slice(0, -1)));
}

async function setGrants({ program, shiftingRole }: Lane, grants: object | undefined) {
  const text = "update watchfloor.role set grants = $1 where id = $2";
  await program.query(text, [JSON.stringify(grants), shiftingRole]);
}

export async function setRole({ program }: Lane, user: TestUser, role: string) {
  const text = `update watchfloor."user" set role = $1 where id = $2`;
  await program.query(text, [role, user.info.id]);
}
