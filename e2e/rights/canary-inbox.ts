import { mentionOf } from "../../shared/protocol/mentions.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import type { TestUser } from "../harness/test-user.ts";
import type { MailReceiver } from "../notifications/mail-receiver.ts";
import type { Knowledge } from "./knowledge.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";

interface Setting {
  installation: TestInstallation;
  knowledge: Knowledge;
  random: SeededRandom;
  mails: MailReceiver;
  tapOf: (id: string) => Tap;
}

const table = "incidents";
const causes = ["mention", "assignment", "watch", "changeSet"];

/** What users are notified of, in their inboxes and by mail: of records that move in and out of their scopes. */
export class CanaryInbox {
  /** How many entries were shown, and mails received. */
  readonly counts = { entries: 0, mails: 0 };
  readonly #setting: Setting;
  readonly #users = new Map<string, { line: TappedLine; user: TestUser }>();

  constructor(setting: Setting) {
    this.#setting = setting;
    setting.mails.tap = ({ to, subject, body }) => {
      const own = [...this.#users.values()].find(({ user }) => user.info.email === to);
      if (!own) return;
      this.counts.mails += 1;
      setting.tapOf(own.user.info.id)(`${subject}\n${body}`, "/inbox by mail");
    };
  }

  /** A user wants everything, by mail at once. */
  async add(url: string, user: TestUser): Promise<void> {
    const { id } = user.info;
    const line = new TappedLine({ url, token: user.token }, this.#setting.tapOf(id));
    this.#users.set(id, { line, user });
    const wanted = Object.fromEntries(causes.map((cause) => [cause, { inbox: true, mail: "now" }]));
    await line.rest("PUT", "/me/notifications", wanted);
  }

  /** Somebody watches a record, is mentioned on it; and somebody reads their inbox. */
  async requestAll(record: string): Promise<void> {
    const { installation, knowledge, random } = this.#setting;
    const { line, user } = random.pick([...this.#users.values()]);
    await line.rest("PUT", "/watches", { table, record });
    await line.rest("GET", "/watches");
    const text = `${knowledge.createCanary("boss", { table, record })} ${mentionOf(user.info.id)}`;
    await installation.ownerUser
      .call("POST", "/comments", { table, record, text })
      .catch(() => undefined);
    const one = random.pick([...this.#users.values()]);
    const query = random.next() < 0.5 ? "?unread=1" : "?limit=100";
    const answer = JSON.parse(await one.line.rest("GET", `/inbox${query}`));
    this.counts.entries += answer.items?.length ?? 0;
    if (random.next() < 0.1) await one.line.rest("POST", "/inbox/read", { all: true });
  }
}
