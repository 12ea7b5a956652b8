import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import { FollowedTable } from "./followed-table.ts";
import { ANSWERED_WITHIN_MS, type Tap, TappedLine } from "./tapped-line.ts";

/** Somebody at a tapped line who follows the incidents, and hears of the callers. */
export class TappedUser extends TappedLine {
  readonly id: string;
  readonly followed: FollowedTable;

  private constructor(id: string, url: string, token: string, tap: Tap) {
    super({ url, token }, tap);
    this.id = id;
    this.followed = new FollowedTable("incidents", (event, message) =>
      this.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck(event, message),
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
    socket.on("resync", ({ table }: { table: string }) => void user.#follow(table));
    socket.on("model", () => {
      followed.retry();
      void user.#follow("people");
    });
    await user.#follow("people");
    await followed.begin();
    return user;
  }

  /** The connection is lost and made anew; what was missed is asked for from the last position on. */
  async reconnect(meanwhile: () => Promise<void>): Promise<void> {
    this.socket.disconnect();
    await meanwhile();
    await this.open();
    await this.#follow("people");
    await this.followed.resume();
  }

  /** Hears who is where, as far as this person is told. */
  onPresence(listener: (message: PresenceMessage) => void): void {
    this.socket.on("presence", listener);
  }

  /** The callers are followed too, but only heard: what is told of them goes by the tap. */
  async #follow(table: string): Promise<void> {
    if (table === "incidents") await this.followed.begin();
    else await this.call("subscribe", { table });
  }
}
