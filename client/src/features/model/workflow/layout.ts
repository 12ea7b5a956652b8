import { Graph, layout } from "@dagrejs/dagre";
import type { Transition, Workflow } from "../../../../../shared/model/workflow.ts";
import { stateRanks } from "./state-ranks.ts";

/** Where a part of the diagram stands, in pixels from its top left corner; x and y are its middle. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line of the diagram; those that lead into a state end in an arrow. */
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
const MOVE_HEIGHT = 28;
const MARGIN = 16;

/**
 * Places states and transitions so that one reads from the beginning to the end. A transition is a
 * place of its own, before the state that it reaches: one that leaves six states is one sign with six
 * lines, not six signs. States stand by their rank (state-ranks.ts); dagre puts each rank in the order
 * with the fewest crossings and leads the lines around what stands between.
 */
export function layOut(
  workflow: Workflow,
  labelOf: (state: string) => string,
  isUpright: boolean,
): DiagramLayout {
  const plan = new Plan(workflow, isUpright);
  for (const { value } of workflow.states) plan.addState(value, labelOf(value));
  for (const transition of workflow.transitions) plan.addMove(transition);
  return plan.settle();
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

  addMove(move: Transition): void {
    const key = moveKey(move.name);
    this.#graph.setNode(key, { width: moveWidth(move), height: MOVE_HEIGHT });
    for (const state of new Set([...move.from, move.to])) this.#join(state, move);
  }

  settle(): DiagramLayout {
    const { states, transitions } = this.#workflow;
    layout(this.#graph);
    const { width = 0, height = 0 } = this.#graph.graph() as { width?: number; height?: number };
    const boxOf = (key: string) => this.#graph.node(key) as unknown as Box;
    return {
      width,
      height,
      states: new Map(states.map(({ value }) => [value, boxOf(stateKey(value))])),
      transitions: new Map(transitions.map(({ name }) => [name, boxOf(moveKey(name))])),
      lines: transitions.flatMap((move) => [
        ...move.from.map((state) => this.#line(state, move, false)),
        this.#line(move.to, move, true),
      ]),
    };
  }

  /** Every line is told from the lower rank to the higher: so the ranks are what dagre makes of them. */
  #join(state: string, move: Transition): void {
    const from = this.#rankOf(state);
    const to = this.#rankOfMove(move);
    const [tail, head] =
      from < to ? [stateKey(state), moveKey(move.name)] : this.#turned(state, move);
    this.#graph.setEdge(tail, head, { minlen: Math.abs(to - from) });
  }

  #turned(state: string, move: Transition): [string, string] {
    return [moveKey(move.name), stateKey(state)];
  }

  #rankOf(state: string): number {
    return 2 * (this.#ranks.get(state) ?? 0);
  }

  /** Before the state that it reaches, where anything comes from there; else after it: a way back. */
  #rankOfMove({ from, to }: Transition): number {
    const reached = this.#rankOf(to);
    const goesOn = reached > 0 && from.some((state) => this.#rankOf(state) < reached);
    return goesOn ? reached - 1 : reached + 1;
  }

  #line(state: string, move: Transition, arrow: boolean): Line {
    const forwards = this.#rankOf(state) < this.#rankOfMove(move);
    const [tail, head] = forwards
      ? [stateKey(state), moveKey(move.name)]
      : this.#turned(state, move);
    const { points } = this.#graph.edge(tail, head) as unknown as { points: Point[] };
    const led = forwards === arrow ? points.toReversed() : points;
    const key = `${arrow ? "to" : "from"}\n${state}\n${move.name}`;
    return { key, transition: move.name, state, arrow, path: smooth(led) };
  }
}

const stateKey = (value: string) => `state ${value}`;
const moveKey = (name: string) => `move ${name}`;

/** Wide enough for the words; longer ones are cut on screen and whole in the list beside. */
function stateWidth(label: string): number {
  return Math.min(200, Math.max(116, label.length * 7.4 + 44));
}

function moveWidth({ label, roles, guard, reason }: Transition): number {
  const marks = [roles, guard, reason].filter(Boolean).length;
  return Math.min(190, Math.max(56, label.length * 6.6 + 28) + marks * 16);
}

interface Point {
  x: number;
  y: number;
}

/** Rounds the corners of a line: each corner pulls the curve towards itself. */
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
