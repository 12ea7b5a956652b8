import type { Member } from "./member.ts";

const DRAIN_CHECK_MS = 100;
/** A connection counts as drained at this share of the bound. */
const DRAINED_SHARE = 1 / 16;

/**
 * Members whose connection does not keep up. Above the bound nothing more of any feed is sent to them, so
 * their buffer can't grow; once it has drained they are sent a resync. Nobody waits for them meanwhile.
 */
export class SlowMembers {
  readonly #maxBytes: number;
  readonly #slow = new Set<Member>();
  #timer: NodeJS.Timeout | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Whether a member can be sent more; one that can't leaves all its scope groups. */
  canReceive(member: Member): boolean {
    if (member.peer.bufferedBytes() <= this.#maxBytes) return true;
    member.missed ??= new Set();
    for (const table of member.groups.keys()) member.missed.add(table);
    member.leaveAll();
    this.#slow.add(member);
    this.#timer ??= setInterval(() => this.#check(), DRAIN_CHECK_MS);
    return false;
  }

  #check(): void {
    for (const member of this.#slow) {
      if (member.isDisconnected) this.#slow.delete(member);
      else if (!member.isHeld && member.peer.bufferedBytes() <= this.#maxBytes * DRAINED_SHARE) {
        this.#requestResync(member);
      }
    }
    if (this.#slow.size === 0) this.stop();
  }

  #requestResync(member: Member): void {
    this.#slow.delete(member);
    const missed = member.missed ?? [];
    member.missed = null;
    for (const table of missed) member.peer.send("resync", { table, reason: "slow" });
  }
}
