import { Graph, layout } from "@dagrejs/dagre";
import type { Transition, Workflow } from "../../../../../shared/model/workflow.ts";
import { stateRanks } from "./state-ranks.ts";

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

const STATE_HEIGHT = 52;
const TRANSITION_HEIGHT = 28;
const MARGIN = 16;

/**
 * Places states and transitions from the initial states to the final ones. A transition is a node of its own before its
 * target state, so that a transition from six states is one node with six lines. States are placed by their rank
 * (state-ranks.ts); dagre orders each rank for the fewest crossings and routes the lines.
 */
export function layOut(
  workflow: Workflow,
  labelOf: (state: string) => string,
  isUpright: boolean,
): DiagramLayout {
  const plan = new Plan(workflow, isUpright);
  for (const { value } of workflow.states) plan.addState(value, labelOf(value));
  for (const transition of workflow.transitions) plan.addTransition(transition);
  return plan.compute();
}

class Plan {
  readonly #graph = new Graph({ multigraph: true });
  readonly #workflow: Workflow;
  readonly #ranks: Map<string, number>;

  constructor(workflow: Workflow, isUpright: boolean) {
    this.#workflow = workflow;
    this.#ranks = stateRanks(workflow);
    this.#graph.setGraph({
      rankdir: isUpright ? "TB" : "LR",
      nodesep: 20,
      ranksep: 26,
      edgesep: 14,
      marginx: MARGIN,
      marginy: MARGIN,
    });
    this.#graph.setDefaultEdgeLabel(() => ({}));
  }

  addState(value: string, label: string): void {
    this.#graph.setNode(stateKey(value), { width: stateWidth(label), height: STATE_HEIGHT });
  }

  addTransition(transition: Transition): void {
    const key = transitionKey(transition.name);
    this.#graph.setNode(key, { width: transitionWidth(transition), height: TRANSITION_HEIGHT });
    for (const state of new Set([...transition.from, transition.to]))
      this.#addEdge(state, transition);
  }

  compute(): DiagramLayout {
    const { states, transitions } = this.#workflow;
    layout(this.#graph);
    const { width = 0, height = 0 } = this.#graph.graph() as { width?: number; height?: number };
    const boxOf = (key: string) => this.#graph.node(key) as unknown as Box;
    return {
      width,
      height,
      states: new Map(states.map(({ value }) => [value, boxOf(stateKey(value))])),
      transitions: new Map(transitions.map(({ name }) => [name, boxOf(transitionKey(name))])),
      lines: transitions.flatMap((transition) => [
        ...transition.from.map((state) => this.#line(state, transition, false)),
        this.#line(transition.to, transition, true),
      ]),
    };
  }

  /** Gives dagre every line from the lower to the higher rank, so that it keeps the ranks. */
  #addEdge(state: string, transition: Transition): void {
    const from = this.#rankOf(state);
    const to = this.#rankOfTransition(transition);
    const [tail, head] =
      from < to
        ? [stateKey(state), transitionKey(transition.name)]
        : this.#reversedEdge(state, transition);
    this.#graph.setEdge(tail, head, { minlen: Math.abs(to - from) });
  }

  #reversedEdge(state: string, transition: Transition): [string, string] {
    return [transitionKey(transition.name), stateKey(state)];
  }

  #rankOf(state: string): number {
    return 2 * (this.#ranks.get(state) ?? 0);
  }

  /** Placed before its target state, or after it if the transition leads back. */
  #rankOfTransition({ from, to }: Transition): number {
    const reached = this.#rankOf(to);
    const isForward = reached > 0 && from.some((state) => this.#rankOf(state) < reached);
    return isForward ? reached - 1 : reached + 1;
  }

  #line(state: string, transition: Transition, arrow: boolean): Line {
    const forwards = this.#rankOf(state) < this.#rankOfTransition(transition);
    const [tail, head] = forwards
      ? [stateKey(state), transitionKey(transition.name)]
      : this.#reversedEdge(state, transition);
    const { points } = this.#graph.edge(tail, head) as unknown as { points: Point[] };
    const directed = forwards === arrow ? points.toReversed() : points;
    const key = `${arrow ? "to" : "from"}\n${state}\n${transition.name}`;
    return { key, transition: transition.name, state, arrow, path: smooth(directed) };
  }
}

const stateKey = (value: string) => `state ${value}`;
const transitionKey = (name: string) => `move ${name}`;

/** Wide enough for usual labels; longer ones are truncated, and complete in the list. */
function stateWidth(label: string): number {
  return Math.min(200, Math.max(116, label.length * 7.4 + 44));
}

function transitionWidth({ label, roles, guard, reason }: Transition): number {
  const marks = [roles, guard, reason].filter(Boolean).length;
  return Math.min(190, Math.max(56, label.length * 6.6 + 28) + marks * 16);
}

interface Point {
  x: number;
  y: number;
}

/** Rounds the corners of a line. */
function smooth(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.at(-1);
  if (!first || !last) return "";
  const bends = others.slice(0, -1).map((corner, index) => {
    const next = others[index + 1] as Point;
    const isLast = index === others.length - 2;
    const end = isLast ? next : { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    return `Q${at(corner)} ${at(end)}`;
  });
  return `M${at(first)} ${bends.length ? bends.join(" ") : `L${at(last)}`}`;
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
