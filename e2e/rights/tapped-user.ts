import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import { FollowedTable } from "./followed-table.ts";
import { ANSWERED_WITHIN_MS, type Tap, TappedLine } from "./tapped-line.ts";

/** A tapped user who follows the incidents, and receives changes of the callers. */
export class TappedUser extends TappedLine {
  readonly id: string;
  readonly followed: FollowedTable;

  private constructor(id: string, url: string, token: string, tap: Tap) {
    super({ url, token }, tap);
    this.id = id;
    this.followed = new FollowedTable(
      () => "incidents",
      (event, message) => this.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck(event, message),
    );
  }

  static async connect(
    { id, url, token }: { id: string; url: string; token: string },
    tap: Tap,
  ): Promise<TappedUser> {
    const user = new TappedUser(id, url, token, tap);
    await user.open();
    const { socket, followed } = user;
    socket.on("changes", (frame) => followed.take(frame));
    // The connection may be lost before the answer: `reconnect` follows again.
    const followAgain = (table: string) => user.#follow(table).catch(() => undefined);
    socket.on("resync", ({ table }: { table: string }) => followAgain(table));
    socket.on("model", () => {
      followed.retry();
      return followAgain("people");
    });
    await user.#follow("people");
    await followed.begin();
    return user;
  }

  /** The connection is lost and made again; what was missed is requested from the last position on. */
  async reconnect(meanwhile: () => Promise<void>): Promise<void> {
    this.socket.disconnect();
    await meanwhile();
    await this.open();
    await this.#follow("people");
    await this.followed.resume();
  }

  /** Receives presence, as far as this user may see it. */
  onPresence(listener: (message: PresenceMessage) => void): void {
    this.socket.on("presence", listener);
  }

  /** The callers are followed too, but only recorded: what is sent of them is checked by the tap. */
  async #follow(table: string): Promise<void> {
    if (table === "incidents") await this.followed.begin();
    else await this.call("subscribe", { table });
  }
}
