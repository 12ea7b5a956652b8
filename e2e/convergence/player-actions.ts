import { setTimeout as sleep } from "node:timers/promises";
import type { Values } from "../../shared/model/model.ts";
import type { Player } from "./player.ts";
import type { SeededRandom } from "./seeded-random.ts";

const TABLE = "incidents";
const texts = ["title", "location", "notes"];
const levels = ["1 - High", "2 - Medium", "3 - Low", null];
const CUT_MAX_MS = 250;

/** Marks words that the narrow role must never receive: in a hidden field, in a record out of scope. */
export const HIDDEN = " ~hidden~";
export const OUT_OF_REACH = " ~out of reach~";

/** Some of the template's transitions, by the state they lead out of. */
const transitions: Record<string, readonly string[]> = {
  New: ["activate", "resolve"],
  Active: ["await_vendor", "resolve"],
  "Awaiting Vendor": ["activate", "resolve"],
  Resolved: ["reopen", "close"],
};

/** The records of a seed that everybody edits, and the words, which are unique. */
export interface Fixture {
  tag: string;
  /** Grows while the seed is played. */
  records: string[];
  /** Whether there is time to wait also for what is only counted from time to time. */
  checksTotals: boolean;
  /** Each call another text. */
  unique(): string;
}

type PlayerAction = (
  player: Player,
  fixture: Fixture,
  random: SeededRandom,
) => void | Promise<void>;

/** What a user at a browser does, and what happens to them. */
const actions: readonly (readonly [number, PlayerAction])[] = [
  [30, edit],
  [6, create],
  [4, remove],
  [5, editMany],
  [2, createMany],
  [2, removeMany],
  [5, transition],
  [6, undo],
  [4, realign],
  [5, cut],
  [3, stall],
  [3, unplug],
  [3, reload],
];

export function performAction(
  player: Player,
  fixture: Fixture,
  random: SeededRandom,
): void | Promise<void> {
  return random.draw(actions)(player, fixture, random);
}

function change(fixture: Fixture, random: SeededRandom): Values {
  const set: Values = { [random.pick(texts)]: fixture.unique() };
  if (random.next() < 0.3) set[random.pick(texts)] = fixture.unique();
  if (set.notes) set.notes += HIDDEN;
  if (random.next() < 0.3) set.impact = random.pick(levels);
  if (random.next() < 0.2) set.reassignments = random.below(5);
  return set;
}

/** A plausible edit of the record: the base is what the screen shows. */
function editOf(player: Player, record: string, fixture: Fixture, random: SeededRandom) {
  const set = change(fixture, random);
  const shown = player.session.get(record);
  if (!shown || shown.mark === "deleted") return null;
  const bases = Object.keys(set).map((field) => [field, shown.values[field] ?? null]);
  return { record, set, base: Object.fromEntries(bases) as Values };
}

function edit(player: Player, fixture: Fixture, random: SeededRandom): void {
  const made = editOf(player, random.pick(fixture.records), fixture, random);
  if (made) player.track(player.open.core.edits.edit(TABLE, made));
}

function editMany(player: Player, fixture: Fixture, random: SeededRandom): void {
  const records = new Set(Array.from({ length: 5 }, () => random.pick(fixture.records)));
  const made = [...records].flatMap((record) => editOf(player, record, fixture, random) ?? []);
  if (made.length > 0) player.open.core.edits.editMany(TABLE, made);
}

function create(player: Player, fixture: Fixture): void {
  const record = `${fixture.tag}-${fixture.records.length}-${player.user.info.id.slice(0, 8)}`;
  fixture.records.push(record);
  const values = { title: fixture.unique(), category: fixture.tag };
  player.track(player.open.core.edits.create(TABLE, values, record));
}

function createMany(player: Player, fixture: Fixture, random: SeededRandom): void {
  const values = Array.from({ length: 1 + random.below(4) }, () => {
    return { title: fixture.unique(), category: fixture.tag };
  });
  player.open.core.edits.createMany(TABLE, values);
}

function remove(player: Player, fixture: Fixture, random: SeededRandom): void {
  const record = random.pick(fixture.records);
  if (player.session.get(record)?.mark === null) {
    player.track(player.open.core.edits.delete(TABLE, record));
  }
}

function removeMany(player: Player, fixture: Fixture, random: SeededRandom): void {
  const records = new Set(Array.from({ length: 3 }, () => random.pick(fixture.records)));
  const there = [...records].filter((record) => player.session.get(record)?.mark === null);
  if (there.length > 0) player.open.core.edits.deleteMany(TABLE, there);
}

function transition(player: Player, fixture: Fixture, random: SeededRandom): void {
  const shown = player.session.get(random.pick(fixture.records));
  const from = shown?.mark === null ? String(shown.values.state) : "";
  const name = transitions[from] && random.pick(transitions[from]);
  if (!shown || !name) return;
  const step = { transition: name, from, ...(name === "reopen" && { reason: "not yet" }) };
  player.track(player.open.core.edits.transition(TABLE, shown.id, step));
}

function undo(player: Player, _fixture: Fixture, random: SeededRandom): void {
  const { undo: stack } = player.open.core;
  void (random.next() < 0.7 ? stack.undo() : stack.redo());
}

function realign(player: Player, _fixture: Fixture, random: SeededRandom): void {
  const rowList = random.pick(player.rowLists);
  rowList.realign();
  player.read(rowList);
}

async function cut({ line }: Player, _fixture: Fixture, random: SeededRandom): Promise<void> {
  line.cut();
  await sleep(random.below(CUT_MAX_MS));
  line.restore();
}

async function stall({ line }: Player, _fixture: Fixture, random: SeededRandom): Promise<void> {
  line.stall();
  await sleep(random.below(CUT_MAX_MS));
  line.restore();
}

async function unplug(player: Player, _fixture: Fixture, random: SeededRandom): Promise<void> {
  const { core } = player.open;
  core.setOnline(false);
  await sleep(random.below(CUT_MAX_MS));
  core.setOnline(true);
}

function reload(player: Player): Promise<void> {
  return player.reload();
}
