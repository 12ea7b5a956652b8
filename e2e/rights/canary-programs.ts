import { connect, type Watchfloor } from "../../client/package/connect.ts";
import type { WebhookDelivery } from "../../shared/protocol/webhooks.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestUser } from "../harness/test-user.ts";
import { Receiver } from "../webhooks/receiver.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields } from "./random-role.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";

interface Setting {
  /** The servers. */
  urls: readonly string[];
  knowledge: Knowledge;
  random: SeededRandom;
  tapOf: (id: string) => Tap;
}

/** One in so many requests is not accepted at first, so that its event is sent again. */
const REFUSED_EVERY = 5;
/** One in so many users runs a program with the client package. */
const PACKAGE_EVERY = 4;
const table = "incidents";

/** What programs of the users receive: webhooks of their own, and the client package. */
export class CanaryPrograms {
  /** How often a receiver was sent an event, and a program was shown a view or a change. */
  readonly counts = { events: 0, views: 0, changes: 0 };
  readonly #setting: Setting;
  readonly #receiver: Receiver;
  readonly #programs: Watchfloor[] = [];
  /** Each follows the log again, from its beginning, if it may not or no longer: its user may get the right to history later. */
  readonly #logs: { follow: () => Promise<void>; isFollowing: boolean }[] = [];
  readonly #lines: { line: TappedLine; user: TestUser; webhook: string | null }[] = [];

  private constructor(setting: Setting, receiver: Receiver) {
    this.#setting = setting;
    this.#receiver = receiver;
    let requests = 0;
    receiver.answer = () => (++requests % REFUSED_EVERY === 0 ? 503 : 200);
    receiver.tap = (bytes, path) => {
      this.counts.events += 1;
      setting.tapOf(path.slice(1))(bytes, "webhook");
    };
  }

  static async open(setting: Setting): Promise<CanaryPrograms> {
    return new CanaryPrograms(setting, await Receiver.open());
  }

  /** Starts the programs of a user. `token` is an API token or that of a session. */
  async add(user: TestUser, token: string): Promise<void> {
    const { urls, tapOf } = this.#setting;
    const { id } = user.info;
    const url = urls[this.#lines.length % urls.length] as string;
    const line = new TappedLine({ url, token: user.token }, tapOf(id));
    this.#lines.push({ line, user, webhook: null });
    if (this.#lines.length % PACKAGE_EVERY === 0) await this.#runPackage(url, token, tapOf(id));
  }

  /** Calls about webhooks, of one's own and of others, by one of the users. */
  async requestAll(): Promise<void> {
    const { random } = this.#setting;
    this.#followLogs();
    const one = random.pick(this.#lines);
    one.webhook ??= await this.#createWebhook(one);
    const other = random.pick(this.#lines).webhook;
    await one.line.rest("GET", "/webhooks");
    for (const id of [one.webhook, other]) {
      if (id === null) continue;
      const path = `/webhooks/${id}/deliveries`;
      const answer = JSON.parse(await one.line.rest("GET", `${path}?limit=20`));
      const items: WebhookDelivery[] = answer.items ?? [];
      if (items.length > 0) {
        await one.line.rest("POST", `${path}/${random.pick(items).id}/replay`);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.close()));
    await this.#receiver[Symbol.asyncDispose]();
  }

  /** Null for a user who may have none. Its filter holds a canary of a field that they may read now. */
  async #createWebhook({ line, user }: { line: TappedLine; user: TestUser }) {
    const { knowledge, random } = this.#setting;
    const field = random.pick(canaryFields);
    const value = knowledge.createCanary(user.info.id, { table, field });
    const call = { filter: { field, op: "ne", value }, fields: [field, "number"] };
    const answer = await line.rest("POST", "/webhooks", {
      name: "Canary",
      url: `http://127.0.0.1:${this.#receiver.port}/${user.info.id}`,
      table,
      events: ["created", "updated", "deleted", "transition"],
      ...(random.next() < 0.3 && call),
    });
    return (JSON.parse(answer).id as string | undefined) ?? null;
  }

  async #runPackage(url: string, token: string, tap: Tap): Promise<void> {
    const program = await connect({ url, token });
    this.#programs.push(program);
    const incidents = program.table(table);
    incidents.live({ sort: ["-number"] }, 200).onChange((records) => {
      this.counts.views += 1;
      tap(JSON.stringify([records, program.model]), "the package");
    });
    this.#logs.push({ follow: () => this.#followLog(incidents, tap), isFollowing: false });
    this.#followLogs();
  }

  #followLogs(): void {
    for (const log of this.#logs) {
      if (log.isFollowing) continue;
      log.isFollowing = true;
      const end = () => {
        log.isFollowing = false;
      };
      void log.follow().then(end, end);
    }
  }

  /** Ends where the right to history does. */
  async #followLog(incidents: ReturnType<Watchfloor["table"]>, tap: Tap): Promise<void> {
    for await (const change of incidents.changes()) {
      this.counts.changes += 1;
      tap(JSON.stringify(change), "/changes by the package");
    }
  }
}
