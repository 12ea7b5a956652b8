import {
  initialStates,
  type Transition,
  type Workflow,
} from "../../../../../shared/model/workflow.ts";

/** A part of the diagram, in pixels from its top left corner; x and y are its centre. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line of the diagram; lines into a state end in an arrow. */
export interface Line {
  key: string;
  transition: string;
  state: string;
  arrow: boolean;
  path: string;
}

export interface DiagramLayout {
  width: number;
  height: number;
  states: Map<string, Box>;
  transitions: Map<string, Box>;
  lines: Line[];
}

const MARGIN = 16;
const STATE_HEIGHT = 52;
const STATE_GAP = 20;
const TRANSITION_HEIGHT = 28;
/** Free space beside a transition: for its neighbour, and for a lane that passes it. */
const TRANSITION_GAP = 10;
const LABEL_ROWS = 2;
const LABEL_ROW_HEIGHT = TRANSITION_HEIGHT + 8;
/** The lines that leave a state are above its middle, those that reach it below. */
const RAIL_OFFSET = 15;
const CORNER = 8;

/**
 * Places the states below each other, from the initial ones to the final ones, and the transitions above them to the right.
 * Each transition has a lane that goes down to the states it starts from (a dot) and to the one it leads to (an arrow). So no line
 * runs through a state or a transition, and no two labels overlap, whatever the workflow.
 */
export function layOut(workflow: Workflow, labelOf: (state: string) => string): DiagramLayout {
  const states = placeStates(workflow, labelOf);
  const transitions = placeTransitions(workflow.transitions, states);
  const boxes = [...states.values(), ...transitions.values()];
  return {
    width: Math.max(0, ...boxes.map(({ x, width }) => x + width / 2)) + MARGIN,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height / 2)) + MARGIN,
    states,
    transitions,
    lines: workflow.transitions.flatMap((transition) => linesOf(transition, states, transitions)),
  };
}

function placeStates(workflow: Workflow, labelOf: (state: string) => string): Map<string, Box> {
  const ranks = stateRanks(workflow);
  const rankOf = (value: string) => ranks.get(value) ?? 0;
  const order = workflow.states.map(({ value }) => value);
  const sorted = order.toSorted((a, b) => rankOf(a) - rankOf(b));
  const width = Math.max(0, ...order.map((value) => stateWidth(labelOf(value))));
  const top = MARGIN + LABEL_ROWS * LABEL_ROW_HEIGHT + STATE_HEIGHT / 2;
  return new Map(
    sorted.map((value, row) => {
      const y = top + row * (STATE_HEIGHT + STATE_GAP);
      return [value, { x: MARGIN + width / 2, y, width, height: STATE_HEIGHT }];
    }),
  );
}

/** In two rows by turns, so that lanes can be closer than labels are wide: those of the first row pass between labels of the second. */
function placeTransitions(
  transitions: readonly Transition[],
  states: ReadonlyMap<string, Box>,
): Map<string, Box> {
  const [state] = states.values();
  const left = state ? state.x + state.width / 2 : MARGIN;
  const placed: Box[] = [];
  for (const [index, transition] of transitions.entries()) {
    const row = index % LABEL_ROWS;
    const width = transitionWidth(transition);
    const before = placed[index - 1];
    const beside = placed[index - LABEL_ROWS];
    const passing = row === 0 ? (before?.width ?? 0) : width;
    const x = Math.max(
      left + 2 * STATE_GAP,
      left + width / 2 - RAIL_OFFSET,
      before ? before.x + passing / 2 + TRANSITION_GAP : 0,
      beside ? beside.x + (beside.width + width) / 2 + TRANSITION_GAP : 0,
    );
    const y = MARGIN + row * LABEL_ROW_HEIGHT + TRANSITION_HEIGHT / 2;
    placed.push({ x, y, width, height: TRANSITION_HEIGHT });
  }
  return new Map(transitions.map(({ name }, index) => [name, placed[index] as Box]));
}

function linesOf(
  { name, from, to }: Transition,
  states: ReadonlyMap<string, Box>,
  transitions: ReadonlyMap<string, Box>,
): Line[] {
  const lane = transitions.get(name);
  const line = (state: string, arrow: boolean): Line[] => {
    const box = states.get(state);
    if (!lane || !box) return [];
    const right = box.x + box.width / 2;
    const top = lane.y + lane.height / 2;
    const y = box.y + (arrow ? RAIL_OFFSET : -RAIL_OFFSET);
    const path = arrow
      ? `M${at(lane.x, top)} V${round(y - CORNER)} Q${at(lane.x, y)} ${at(lane.x - CORNER, y)} H${round(right)}`
      : `M${at(right, y)} H${round(lane.x)} V${round(top)}`;
    const key = `${arrow ? "to" : "from"}\n${state}\n${name}`;
    return [{ key, transition: name, state, arrow, path }];
  };
  return [...from.flatMap((state) => line(state, false)), ...line(to, true)];
}

/** Wide enough for usual labels; longer ones are truncated, and complete in the list. */
function stateWidth(label: string): number {
  return Math.min(200, Math.max(116, label.length * 7.4 + 44));
}

function transitionWidth({ label, roles, guard, reason }: Transition): number {
  const marks = [roles, guard, reason].filter(Boolean).length;
  return Math.min(190, Math.max(56, label.length * 6.6 + 28) + marks * 16);
}

function at(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

const round = (value: number) => Math.round(value * 10) / 10;

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
