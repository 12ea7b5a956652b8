import { Refusal } from "../../../shared/protocol/errors.ts";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { TilesCall } from "../../../shared/protocol/tiles.ts";
import type { Identity } from "../../auth/identity.ts";
import type { BoardNews, Boards } from "../boards/boards.ts";
import { EvaluationShares, type ShareLimits } from "./evaluation-shares.ts";
import type { Plans } from "./plans.ts";
import type { SceneRoom, Viewer } from "./scene-room.ts";
import type { SceneSource } from "./scene-source.ts";
import type { BoardRequest } from "./tiles-messages.ts";

export interface ScreensDeps {
  boards: Boards;
  plans: Plans;
  source: SceneSource;
  limits: ShareLimits;
}

/** A board that a viewer asked for; its room, unless that is being found. */
interface Followed {
  call: TilesCall;
  room: SceneRoom | null;
  turn: number;
}

interface Looker {
  viewer: Viewer;
  identity: Identity;
  held: boolean;
  boards: Map<string, Followed>;
}

/** A first answer waits so long for figures; then it says that they are on their way. */
const FIRST_FRAME_MS = 1_500;
/** Boards that one connection may watch at a time. */
const BOARDS_MAX = 20;

/**
 * Who looks at which board. Rights are judged when somebody comes, and again whenever they may have
 * changed: in between nothing is asked, and from the moment of doubt on nothing is sent.
 */
export class Screens {
  readonly #source: SceneSource;
  readonly #plans: Plans;
  readonly #shares: EvaluationShares;
  readonly #lookers = new Map<string, Looker>();
  readonly #undo: () => void;

  constructor({ boards, plans, source, limits }: ScreensDeps) {
    this.#source = source;
    this.#shares = new EvaluationShares(limits, (key) => source.has(key));
    this.#plans = plans;
    this.#undo = boards.onChange((news) => this.#hear(news));
  }

  stop(): void {
    this.#undo();
  }

  /**
   * Shows a board from now on. `answer` is called in the turn in which the viewer joins, so that no
   * frame can overtake it.
   */
  async open(
    viewer: Viewer,
    identity: Identity,
    call: TilesCall,
    answer: (frame: FrameMessage) => void,
  ): Promise<void> {
    const looker = this.#looker(viewer, identity);
    const key = keyOf(call);
    const followed = looker.boards.get(key) ?? { call, room: null, turn: 0 };
    if (!looker.boards.has(key) && looker.boards.size >= BOARDS_MAX) {
      throw new Refusal("too_large", { limit: BOARDS_MAX });
    }
    followed.call = call;
    looker.boards.set(key, followed);
    const isLatest = takeTurn(followed);
    try {
      const plan = await this.#plans.find(identity, call);
      this.#shares.take(identity.display?.id ?? identity.subject.id, plan);
      const room = this.#source.room(plan, requestOf(identity, call));
      await room.ready(FIRST_FRAME_MS);
      if (!isLatest() || looker.held || !this.#isHere(looker)) throw new Refusal("aborted");
      this.#enter(looker, followed, room, answer);
    } catch (error) {
      if (isLatest() && !followed.room) looker.boards.delete(key);
      throw error;
    }
  }

  close(viewer: Viewer, call: TilesCall): void {
    const looker = this.#lookers.get(viewer.id);
    const followed = looker?.boards.get(keyOf(call));
    if (!looker || !followed) return;
    takeTurn(followed);
    followed.room?.remove(viewer);
    looker.boards.delete(keyOf(call));
  }

  /** The connection is gone. */
  leave(viewerId: string): void {
    const looker = this.#lookers.get(viewerId);
    if (!looker) return;
    this.#lookers.delete(viewerId);
    for (const followed of looker.boards.values()) {
      takeTurn(followed);
      followed.room?.remove(looker.viewer);
    }
  }

  /** The rights of a connection are in doubt: from this moment on it is sent no figure. */
  hold(viewerId: string): void {
    const looker = this.#lookers.get(viewerId);
    if (!looker) return;
    looker.held = true;
    for (const followed of looker.boards.values()) {
      takeTurn(followed);
      followed.room?.remove(looker.viewer);
      followed.room = null;
    }
  }

  /** Its rights are known again: it is shown what they allow, and told what is not there for it. */
  release(viewerId: string, identity: Identity): void {
    const looker = this.#lookers.get(viewerId);
    if (!looker) return;
    looker.held = false;
    looker.identity = identity;
    for (const followed of [...looker.boards.values()]) void this.#show(looker, followed);
  }

  #hear(news: BoardNews[]): void {
    this.#source.refresh();
    const changed = new Set(news.map(({ wallboard }) => wallboard));
    for (const looker of this.#lookers.values()) {
      if (looker.held) continue;
      for (const followed of [...looker.boards.values()]) {
        if (changed.has(followed.call.wallboard)) void this.#show(looker, followed);
      }
    }
  }

  /**
   * Shows a board anew, where it is another one: the viewer leaves the old one in the turn in which it
   * is sent the first frame of the new one, layout and figures together.
   */
  async #show(looker: Looker, followed: Followed): Promise<void> {
    const isLatest = takeTurn(followed);
    const { viewer } = looker;
    try {
      const plan = this.#plans.get(looker.identity, followed.call);
      if (followed.room?.plan.key === plan.key) return;
      const room = this.#source.room(plan, requestOf(looker.identity, followed.call));
      await room.ready(FIRST_FRAME_MS);
      if (!isLatest() || !this.#isHere(looker)) return;
      this.#enter(looker, followed, room, (frame) => viewer.send("frame", frame));
    } catch {
      // it is not there for this viewer any more: removed, or not theirs
      followed.room?.remove(viewer);
      looker.boards.delete(keyOf(followed.call));
      const { wallboard } = followed.call;
      const gone = { kind: "wallboard", wallboard, version: 0, published: null } as const;
      viewer.send("notice", { ...gone, removed: true });
    }
  }

  #enter(
    { viewer, identity }: Looker,
    followed: Followed,
    room: SceneRoom,
    answer: (frame: FrameMessage) => void,
  ): void {
    if (followed.room !== room) followed.room?.remove(viewer);
    followed.room = room;
    answer(room.add(viewer, requestOf(identity, followed.call)));
  }

  #looker(viewer: Viewer, identity: Identity): Looker {
    const known = this.#lookers.get(viewer.id);
    const looker = known ?? { viewer, identity, held: false, boards: new Map() };
    looker.identity = identity;
    this.#lookers.set(viewer.id, looker);
    return looker;
  }

  #isHere({ viewer }: Looker): boolean {
    return this.#lookers.has(viewer.id);
  }
}

function requestOf({ subject, display }: Identity, call: TilesCall): BoardRequest {
  const reader = display
    ? { kind: "display" as const, id: display.id }
    : { kind: "user" as const, id: subject.id };
  return { reader, call };
}

function keyOf({ wallboard, draft = false }: TilesCall): string {
  return `${draft} ${wallboard}`;
}

/** What began last counts. */
function takeTurn(followed: Followed): () => boolean {
  followed.turn += 1;
  const { turn } = followed;
  return () => followed.turn === turn;
}
