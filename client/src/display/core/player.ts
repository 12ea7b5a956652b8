import { Listeners } from "../../../../shared/listeners.ts";
import type { InputArguments } from "../../../../shared/protocol/call.ts";
import type { Contract } from "../../../../shared/protocol/contract.ts";
import type { DisplayReport } from "../../../../shared/protocol/displays.ts";
import { isSignedOut } from "../../../../shared/protocol/errors.ts";
import { ageOf, type Moment } from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Transport } from "../../transport/transport.ts";
import { DisplayConnection } from "./display-connection.ts";
import type { DisplayStorage } from "./display-storage.ts";
import { startPairing } from "./pairing.ts";
import type { PlayerState } from "./player-state.ts";
import type { PlayerUpdater } from "./player-updater.ts";
import { type DisplayRoute, type Reply, requestServer } from "./server-request.ts";
import { WallboardRotation } from "./wallboard-rotation.ts";

const REPORT_MS = 10_000;
const SAVE_MS = 10_000;
const RETRY_MS = 3_000;

/** A display without its views: pairing, wallboard rotation, and the freshness of values. */
export class Player {
  readonly #deps;
  readonly #connection: DisplayConnection;
  readonly #rotation: WallboardRotation;
  readonly #listeners = new Listeners();
  readonly #startedAt: number;
  #state: PlayerState;
  #program: DisplayProgram | null = null;
  #programAt: Moment;
  #isDegraded = false;
  #stopPairing: (() => void) | null = null;
  #cancels = new Map<string, () => void>();

  constructor(deps: {
    transport: Transport;
    storage: DisplayStorage;
    updater: Pick<PlayerUpdater, "check" | "stop">;
    clock: Clock;
    moment: () => Moment;
    /** Measures the machine for reports. */
    measure: () => Omit<DisplayReport, "board" | "lagMs">;
    /** Validates JSON from the network, which may come from a captive portal. Null if it is not a program. */
    readProgram: (body: unknown) => DisplayProgram | null;
    /** The page is too old for the server and must be reloaded immediately. */
    onOutdated: () => void;
  }) {
    this.#deps = deps;
    const { clock, moment, transport } = deps;
    this.#programAt = moment();
    this.#startedAt = this.#programAt.steady;
    this.#state = { phase: "starting", since: clock.now() };
    const rotation = () => this.#rotation;
    this.#connection = new DisplayConnection(
      transport,
      {
        onConnected: () => this.#connected(),
        onDisconnected: () => this.#publish(),
        onProgram: (program) => this.#applyProgram(program),
        onFrame: (frame) => rotation().applyFrame(frame),
        onProven: (proven) => rotation().applyProof(proven),
        onHealth: (isDegraded) => {
          this.#isDegraded = isDegraded;
          this.#publish();
        },
        onRemoved: (wallboard) => rotation().remove(wallboard),
        onRevoked: () => void this.#verify(),
        onOutdated: deps.onOutdated,
      },
      clock,
      () => moment().steady,
    );
    this.#rotation = new WallboardRotation({
      connection: this.#connection,
      clock,
      moment,
      onChange: () => this.#publish(),
    });
  }

  get state(): PlayerState {
    return this.#state;
  }

  /** @returns a function that stops listening. */
  readonly listen = this.#listeners.add;

  readonly read = (): PlayerState => this.#state;

  start(): void {
    const stored = this.#deps.storage.read();
    if (stored) {
      this.#program = stored.program;
      this.#rotation.restore(stored.boards, stored.program);
      this.#publish();
    }
    void this.#boot();
  }

  /** Called when the network is back, or the machine woke up. */
  reconnectNow(): void {
    this.#connection.reconnectNow();
  }

  /** Stores the wallboards, for a start without the server. */
  saveWallboards(): void {
    if (!this.#program) return;
    const boards = Object.fromEntries(this.#rotation.cached);
    this.#deps.storage.write({ program: this.#program, boards });
  }

  async #boot(): Promise<void> {
    const reply = await this.#request("GET /display");
    if (reply.kind === "answer") {
      this.#startPlaying(reply.body);
    } else if (isUnauthenticated(reply)) {
      this.#startPairing(this.#program !== null);
    } else {
      if (this.#program) this.#connection.open();
      this.#after("boot", RETRY_MS, () => void this.#boot());
    }
  }

  #startPlaying(program: DisplayProgram): void {
    this.#stopPairing?.();
    this.#stopPairing = null;
    this.#applyProgram(program);
    this.#connection.open();
    this.#repeat("report", REPORT_MS, () => this.#report());
    this.#repeat("remember", SAVE_MS, () => this.saveWallboards());
  }

  #applyProgram(program: DisplayProgram): void {
    this.#program = program;
    this.#programAt = this.#deps.moment();
    this.#rotation.applyProgram(program);
    this.#publish();
    this.#deps.updater.check(program);
  }

  #connected(): void {
    this.#isDegraded = false;
    this.#rotation.resume();
    this.#publish();
  }

  /** A connection may be refused for many reasons; only an answer of the server's REST API ends the pairing. */
  async #verify(): Promise<void> {
    if (isUnauthenticated(await this.#request("GET /display"))) this.#startPairing(true);
  }

  async #request<K extends DisplayRoute>(
    name: K,
    ...input: InputArguments<Contract[K]>
  ): Promise<Reply<DisplayProgram>> {
    const reply = await requestServer(name, ...input);
    if (reply.kind !== "answer") return reply;
    const program = this.#deps.readProgram(reply.body);
    return program ? { kind: "answer", body: program } : { kind: "nothing" };
  }

  #startPairing(wasRevoked: boolean): void {
    if (this.#stopPairing) return;
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
    this.#connection.close();
    this.#rotation.stop();
    this.#program = null;
    this.#deps.storage.clear();
    this.#set({ phase: "pairing", pairing: null, wasRevoked });
    this.#stopPairing = startPairing({
      clock: this.#deps.clock,
      onCode: (pairing) => this.#set({ phase: "pairing", pairing, wasRevoked }),
      onEnd: () => {
        this.#stopPairing?.();
        this.#stopPairing = null;
        this.#set({ phase: "starting", since: this.#deps.clock.now() });
        void this.#boot();
      },
    });
  }

  async #report(): Promise<void> {
    const { moment, measure } = this.#deps;
    const held = this.#rotation.current;
    const { ageMs } = ageOf(held?.proof ?? null, moment());
    const report: DisplayReport = {
      ...measure(),
      board: held?.board.id ?? null,
      lagMs: Number.isFinite(ageMs) ? Math.round(ageMs) : null,
      uptimeSeconds: Math.round((moment().steady - this.#startedAt) / 1_000),
    };
    const reply = await this.#request("POST /display/report", { body: report });
    if (reply.kind === "answer" && this.#program) this.#applyProgram(reply.body);
    else if (isUnauthenticated(reply)) this.#startPairing(true);
  }

  #publish(): void {
    if (!this.#program) return;
    this.#set({
      phase: "playing",
      program: this.#program,
      programAt: this.#programAt,
      current: this.#rotation.current,
      alerting: this.#rotation.alerting,
      isConnected: this.#connection.isUp,
      isBlocked: this.#connection.isBlocked,
      isDegraded: this.#isDegraded,
      refused: this.#rotation.refused,
    });
  }

  #set(state: PlayerState): void {
    this.#state = state;
    this.#listeners.emit();
  }

  /** Runs a task soon and then periodically; one task per name. */
  #repeat(name: string, ms: number, task: () => void): void {
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

function isUnauthenticated(reply: Reply<unknown>): boolean {
  return reply.kind === "refused" && isSignedOut(reply.code);
}
