import { initialStates, type Workflow } from "../../../../../shared/model/workflow.ts";

/**
 * How far each state is from where records begin, for drawing: states that change into each other stand
 * side by side, what is only reached from others stands after them. States that nothing reaches come
 * where they are declared: beside the beginning.
 */
export function stateRanks(workflow: Workflow): Map<string, number> {
  const ways = waysOf(workflow);
  const ranks = new Map<string, number>();
  const found = discoverers(workflow, ways);
  const under = new Set<string>();
  const rankOf = (state: string): number => {
    const known = ranks.get(state);
    if (known !== undefined) return known;
    under.add(state);
    const before = [...ways].filter(
      ([from, to]) =>
        to.has(state) &&
        !under.has(from) &&
        (found.get(state) === from || !ways.get(state)?.has(from)),
    );
    const rank = Math.max(0, ...before.map(([from]) => rankOf(from) + 1));
    under.delete(state);
    ranks.set(state, rank);
    return rank;
  };
  const begins = new Set(initialStates(workflow));
  for (const state of begins) ranks.set(state, 0);
  for (const { value } of workflow.states) rankOf(value);
  return ranks;
}

/** From each state the states that one transition reaches. */
function waysOf({ states, transitions }: Workflow): Map<string, Set<string>> {
  const ways = new Map(states.map(({ value }) => [value, new Set<string>()]));
  for (const { from, to } of transitions) {
    for (const state of from) if (state !== to) ways.get(state)?.add(to);
  }
  return ways;
}

/** For each state the one from which it is reached first, going out from the beginning. */
function discoverers(
  workflow: Workflow,
  ways: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, string> {
  const found = new Map<string, string>();
  const queue = [...initialStates(workflow)];
  const seen = new Set(queue);
  for (const from of queue) {
    for (const to of ways.get(from) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      found.set(to, from);
      queue.push(to);
    }
  }
  return found;
}
