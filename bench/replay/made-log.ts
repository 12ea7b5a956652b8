import type { Values } from "../../shared/model/model.ts";
import type { LogRow } from "./incident-log.ts";

/**
 * A log of the shape of the real one, if that is not available: many active incidents at once, each changed
 * by several authors. The same for the same size.
 */
export function makeLog(rows: number): LogRow[] {
  const random = createRandom(7);
  const incidents: Values[] = [];
  return Array.from({ length: rows }, (_, index) => {
    const isNew = incidents.length === 0 || random(3) === 0;
    const values = isNew ? begin(incidents.length) : touch(pick(incidents, random), random);
    if (isNew) incidents.push(values);
    else incidents[incidents.findIndex(({ number }) => number === values.number)] = values;
    const author = `Author ${random(40)}`;
    return { line: index + 2, incident: String(values.number), author, at: index * 60_000, values };
  });
}

const states = ["New", "Active", "Awaiting User Info", "Resolved", "Closed"];

function begin(count: number): Values {
  const number = `LOG${String(count).padStart(7, "0")}`;
  return { number, state: "New", caller: `Caller ${count % 50}`, group: null, assignee: null };
}

function touch(values: Values, random: (below: number) => number): Values {
  const group = `Group ${random(9)}`;
  const assignee = `Resolver ${random(20)}`;
  const state = states[random(states.length)] as string;
  const changes: Values[] = [
    { state },
    { group },
    { state, assignee },
    { notes: `note ${random(99)}` },
    {},
  ];
  return { ...values, ...pick(changes, random) };
}

function pick<Item>(items: readonly Item[], random: (below: number) => number): Item {
  return items[random(items.length)] as Item;
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
