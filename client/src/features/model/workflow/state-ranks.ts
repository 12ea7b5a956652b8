import { initialStates, type Workflow } from "../../../../../shared/model/workflow.ts";

/**
 * The rank of each state in the diagram, by its distance from the initial states. States with transitions in both
 * directions have the same rank. Unreachable states are placed next to the initial ones.
 */
export function stateRanks(workflow: Workflow): Map<string, number> {
  const edges = outgoingEdges(workflow);
  const ranks = new Map<string, number>();
  const discoveredFrom = discoverers(workflow, edges);
  const visiting = new Set<string>();
  const rankOf = (state: string): number => {
    const cached = ranks.get(state);
    if (cached !== undefined) return cached;
    visiting.add(state);
    const before = [...edges].filter(
      ([from, to]) =>
        to.has(state) &&
        !visiting.has(from) &&
        (discoveredFrom.get(state) === from || !edges.get(state)?.has(from)),
    );
    const rank = Math.max(0, ...before.map(([from]) => rankOf(from) + 1));
    visiting.delete(state);
    ranks.set(state, rank);
    return rank;
  };
  const initial = new Set(initialStates(workflow));
  for (const state of initial) ranks.set(state, 0);
  for (const { value } of workflow.states) rankOf(value);
  return ranks;
}

/** The states that each state reaches by one transition. */
function outgoingEdges({ states, transitions }: Workflow): Map<string, Set<string>> {
  const edges = new Map(states.map(({ value }) => [value, new Set<string>()]));
  for (const { from, to } of transitions) {
    for (const state of from) if (state !== to) edges.get(state)?.add(to);
  }
  return edges;
}

/** The predecessor of each state in a breadth-first search from the initial states. */
function discoverers(
  workflow: Workflow,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, string> {
  const discoveredFrom = new Map<string, string>();
  const queue = [...initialStates(workflow)];
  const seen = new Set(queue);
  for (const from of queue) {
    for (const to of edges.get(from) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      discoveredFrom.set(to, from);
      queue.push(to);
    }
  }
  return discoveredFrom;
}
