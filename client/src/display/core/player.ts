import type { InputArguments } from "../../../../shared/contract/call.ts";
import type { Contract } from "../../../../shared/contract/contract.ts";
import type { DisplayProgram, DisplayReport } from "../../../../shared/protocol/displays.ts";
import { ageOf, type Moment } from "../../../../shared/protocol/freshness.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Transport } from "../../transport/transport.ts";
import { askServer, type DisplayRoute, type Reply } from "./ask-server.ts";
import { BoardLine } from "./board-line.ts";
import type { Memory } from "./memory.ts";
import { beginPairing } from "./pairing-desk.ts";
import type { PlayerState } from "./player-state.ts";
import type { Renewal } from "./renewal.ts";
import { Stage } from "./stage.ts";

const REPORT_MS = 10_000;
const REMEMBER_MS = 10_000;
const TRY_AGAIN_MS = 3_000;

export interface PlayerDeps {
  transport: Transport;
  memory: Memory;
  renewal: Pick<Renewal, "consider" | "stop">;
  clock: Clock;
  moment: () => Moment;
  /** What the machine says of itself. */
  measure: () => Omit<DisplayReport, "board" | "lagMs">;
  /** Checks what came as JSON: a network's own page may speak it too. Null where it is no program. */
  readProgram: (body: unknown) => DisplayProgram | null;
  /** The page is too old to talk to the server: it must go, whatever the time. */
  onOutdated: () => void;
}

/** The screen on the wall without its looks: pairing, boards in turn, and what is known of their truth. */
export class Player {
  readonly #deps: PlayerDeps;
  readonly #line: BoardLine;
  readonly #stage: Stage;
  readonly #listeners = new Set<() => void>();
  readonly #startedAt: number;
  #state: PlayerState;
  #program: DisplayProgram | null = null;
  #isDegraded = false;
  #stopPairing: (() => void) | null = null;
  #cancels = new Map<string, () => void>();

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
    const { clock, moment, transport } = deps;
    this.#startedAt = moment().steady;
    this.#state = { phase: "starting", since: clock.now() };
    const stage = () => this.#stage;
    this.#line = new BoardLine(
      transport,
      {
        onConnected: () => this.#connected(),
        onDisconnected: () => this.#publish(),
        onProgram: (program) => this.#follow(program),
        onFrame: (frame) => stage().take(frame),
        onProven: (proven) => stage().prove(proven),
        onHealth: (isDegraded) => {
          this.#isDegraded = isDegraded;
          this.#publish();
        },
        onRemoved: (wallboard) => stage().remove(wallboard),
        onRevoked: () => void this.#verify(),
        onOutdated: deps.onOutdated,
      },
      clock,
      () => moment().steady,
    );
    this.#stage = new Stage({ line: this.#line, clock, moment, onChange: () => this.#publish() });
  }

  get state(): PlayerState {
    return this.#state;
  }

  /** Returns the way to stop listening. */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): PlayerState => this.#state;

  start(): void {
    const remembered = this.#deps.memory.read();
    if (remembered) {
      this.#program = remembered.program;
      this.#stage.remember(remembered.boards, remembered.program);
      this.#publish();
    }
    void this.#boot();
  }

  /** The machine says that the network is back, or it woke up. */
  hurry(): void {
    this.#line.hurry();
  }

  /** Keeps what is on the screen, for a start without the server. */
  remember(): void {
    if (!this.#program) return;
    const boards = Object.fromEntries(this.#stage.held);
    this.#deps.memory.write({ program: this.#program, boards });
  }

  async #boot(): Promise<void> {
    const reply = await this.#ask("GET /display");
    if (reply.kind === "answer") {
      this.#play(reply.body);
    } else if (isNobody(reply)) {
      this.#pair(this.#program !== null);
    } else {
      if (this.#program) this.#line.open();
      this.#after("boot", TRY_AGAIN_MS, () => void this.#boot());
    }
  }

  #play(program: DisplayProgram): void {
    this.#stopPairing?.();
    this.#stopPairing = null;
    this.#follow(program);
    this.#line.open();
    this.#everyNow("report", REPORT_MS, () => this.#report());
    this.#everyNow("remember", REMEMBER_MS, () => this.remember());
  }

  #follow(program: DisplayProgram): void {
    this.#program = program;
    this.#stage.follow(program);
    this.#publish();
    this.#deps.renewal.consider(program);
  }

  #connected(): void {
    this.#isDegraded = false;
    this.#stage.resume();
    this.#publish();
  }

  /** A line may be refused for many reasons; only the server's own word by REST ends the pairing. */
  async #verify(): Promise<void> {
    if (isNobody(await this.#ask("GET /display"))) this.#pair(true);
  }

  async #ask<K extends DisplayRoute>(
    name: K,
    ...input: InputArguments<Contract[K]>
  ): Promise<Reply<DisplayProgram>> {
    const reply = await askServer(name, ...input);
    if (reply.kind !== "answer") return reply;
    const program = this.#deps.readProgram(reply.body);
    return program ? { kind: "answer", body: program } : { kind: "nothing" };
  }

  #pair(wasRevoked: boolean): void {
    if (this.#stopPairing) return;
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
    this.#line.close();
    this.#stage.stop();
    this.#program = null;
    this.#deps.memory.forget();
    this.#set({ phase: "pairing", pairing: null, wasRevoked });
    this.#stopPairing = beginPairing({
      clock: this.#deps.clock,
      onCode: (pairing) => this.#set({ phase: "pairing", pairing, wasRevoked }),
      onOver: () => {
        this.#stopPairing?.();
        this.#stopPairing = null;
        this.#set({ phase: "starting", since: this.#deps.clock.now() });
        void this.#boot();
      },
    });
  }

  async #report(): Promise<void> {
    const { moment, measure } = this.#deps;
    const held = this.#stage.current;
    const { ageMs } = ageOf(held?.proof ?? null, moment());
    const report: DisplayReport = {
      ...measure(),
      board: held?.board.id ?? null,
      lagMs: Number.isFinite(ageMs) ? Math.round(ageMs) : null,
      uptimeSeconds: Math.round((moment().steady - this.#startedAt) / 1_000),
    };
    const reply = await this.#ask("POST /display/report", { body: report });
    if (reply.kind === "answer" && this.#program) this.#follow(reply.body);
    else if (isNobody(reply)) this.#pair(true);
  }

  #publish(): void {
    if (!this.#program) return;
    this.#set({
      phase: "playing",
      program: this.#program,
      current: this.#stage.current,
      isConnected: this.#line.isUp,
      isDegraded: this.#isDegraded,
      refused: this.#stage.refused,
    });
  }

  #set(state: PlayerState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  /** Runs it soon and then again and again; under one name only once. */
  #everyNow(name: string, ms: number, task: () => void): void {
    const run = () => {
      task();
      this.#after(name, ms, run);
    };
    this.#after(name, ms / 10, run);
  }

  #after(name: string, ms: number, task: () => void): void {
    this.#cancels.get(name)?.();
    this.#cancels.set(name, this.#deps.clock.after(ms, task));
  }
}

function isNobody(reply: { kind: string; code?: string }): boolean {
  return reply.code === "unauthenticated" || reply.code === "session_ended";
}
