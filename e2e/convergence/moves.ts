import { setTimeout as sleep } from "node:timers/promises";
import type { Values } from "../../shared/model/model.ts";
import type { Dice } from "./dice.ts";
import type { Player } from "./player.ts";

const TABLE = "incidents";
const texts = ["title", "location", "notes"];
const levels = ["1 - High", "2 - Medium", "3 - Low", null];
const CUT_MAX_MS = 250;

/** Marks words that the narrow role must never be told: in a hidden field, in a record out of reach. */
export const HIDDEN = " ~hidden~";
export const OUT_OF_REACH = " ~out of reach~";

/** Some of the template's transitions, by the state they lead out of. */
const transitions: Record<string, readonly string[]> = {
  New: ["activate", "resolve"],
  Active: ["await_vendor", "resolve"],
  "Awaiting Vendor": ["activate", "resolve"],
  Resolved: ["reopen", "close"],
};

/** The records of a seed that everybody edits, and the words that nobody writes twice. */
export interface Ground {
  tag: string;
  /** Grows while the seed is played. */
  records: string[];
  /** Whether there is time to wait also for what is only counted now and then. */
  isPatient: boolean;
  /** Each call another text. */
  unique(): string;
}

type Move = (player: Player, ground: Ground, dice: Dice) => void | Promise<void>;

/** What a person at a browser does, and what happens to them. */
const moves: readonly (readonly [number, Move])[] = [
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

export function move(player: Player, ground: Ground, dice: Dice): void | Promise<void> {
  return dice.draw(moves)(player, ground, dice);
}

function change(ground: Ground, dice: Dice): Values {
  const set: Values = { [dice.pick(texts)]: ground.unique() };
  if (dice.next() < 0.3) set[dice.pick(texts)] = ground.unique();
  if (set.notes) set.notes += HIDDEN;
  if (dice.next() < 0.3) set.impact = dice.pick(levels);
  if (dice.next() < 0.2) set.reassignments = dice.below(5);
  return set;
}

/** What somebody who looks at the record would do: the base is what the screen shows. */
function editOf(player: Player, record: string, ground: Ground, dice: Dice) {
  const set = change(ground, dice);
  const seen = player.session.get(record);
  if (!seen || seen.mark === "deleted") return null;
  const bases = Object.keys(set).map((field) => [field, seen.values[field] ?? null]);
  return { record, set, base: Object.fromEntries(bases) as Values };
}

function edit(player: Player, ground: Ground, dice: Dice): void {
  const made = editOf(player, dice.pick(ground.records), ground, dice);
  if (made) player.took(player.open.core.edits.edit(TABLE, made));
}

function editMany(player: Player, ground: Ground, dice: Dice): void {
  const records = new Set(Array.from({ length: 5 }, () => dice.pick(ground.records)));
  const made = [...records].flatMap((record) => editOf(player, record, ground, dice) ?? []);
  if (made.length > 0) player.open.core.edits.editMany(TABLE, made);
}

function create(player: Player, ground: Ground): void {
  const record = `${ground.tag}-${ground.records.length}-${player.person.info.id.slice(0, 8)}`;
  ground.records.push(record);
  const values = { title: ground.unique(), category: ground.tag };
  player.took(player.open.core.edits.create(TABLE, values, record));
}

function createMany(player: Player, ground: Ground, dice: Dice): void {
  const values = Array.from({ length: 1 + dice.below(4) }, () => {
    return { title: ground.unique(), category: ground.tag };
  });
  player.open.core.edits.createMany(TABLE, values);
}

function remove(player: Player, ground: Ground, dice: Dice): void {
  const record = dice.pick(ground.records);
  if (player.session.get(record)?.mark === null) {
    player.took(player.open.core.edits.delete(TABLE, record));
  }
}

function removeMany(player: Player, ground: Ground, dice: Dice): void {
  const records = new Set(Array.from({ length: 3 }, () => dice.pick(ground.records)));
  const there = [...records].filter((record) => player.session.get(record)?.mark === null);
  if (there.length > 0) player.open.core.edits.deleteMany(TABLE, there);
}

function transition(player: Player, ground: Ground, dice: Dice): void {
  const seen = player.session.get(dice.pick(ground.records));
  const from = seen?.mark === null ? String(seen.values.state) : "";
  const name = transitions[from] && dice.pick(transitions[from]);
  if (!seen || !name) return;
  const step = { transition: name, from, ...(name === "reopen" && { reason: "not yet" }) };
  player.took(player.open.core.edits.transition(TABLE, seen.id, step));
}

function undo(player: Player, _ground: Ground, dice: Dice): void {
  const { undo: stack } = player.open.core;
  void (dice.next() < 0.7 ? stack.undo() : stack.redo());
}

function realign(player: Player, _ground: Ground, dice: Dice): void {
  const window = dice.pick(player.windows);
  window.realign();
  player.read(window);
}

async function cut({ line }: Player, _ground: Ground, dice: Dice): Promise<void> {
  line.cut();
  await sleep(dice.below(CUT_MAX_MS));
  line.mend();
}

async function stall({ line }: Player, _ground: Ground, dice: Dice): Promise<void> {
  line.stall();
  await sleep(dice.below(CUT_MAX_MS));
  line.mend();
}

async function unplug(player: Player, _ground: Ground, dice: Dice): Promise<void> {
  const { core } = player.open;
  core.setOnline(false);
  await sleep(dice.below(CUT_MAX_MS));
  core.setOnline(true);
}

function reload(player: Player): Promise<void> {
  return player.reload();
}
