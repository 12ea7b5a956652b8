import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { InboxItem } from "../../shared/protocol/inbox.ts";
import { recordAddress } from "../../shared/record-address.ts";
import { identify } from "../auth/authenticate.ts";
import { readMailedLink } from "../auth/user-links.ts";
import type { WorkSource } from "../messaging/leader-work.ts";
import {
  claimDeliveries,
  type DeliveryRow,
  enterMail,
  isMailDue,
  type MailType,
  skipped,
  storeOutcome,
} from "../store/deliveries.ts";
import {
  type EntryRow,
  findMailCandidates,
  forgetMailed,
  type MailCandidate,
  putIntoMail,
  readSettings,
  type StoredSettings,
  unsubscribeToken,
} from "../store/inbox.ts";
import { forgetMailedLink } from "../store/users/links.ts";
import { findUser } from "../store/users/users.ts";
import type { Notifications } from "./create-notifications.ts";
import { itemsOfMail } from "./inbox.ts";
import { linkMail, type MailLine, notificationMail, timeText } from "./mail-texts.ts";
import { type Mail, outcomeOf } from "./mailer.ts";
import { isQuiet, lastDigestTime, zoneOfUser } from "./settings.ts";

/** Mails to different users that are sent at the same time. */
const MAIL_PARALLEL = 4;
const CLAIM_GRACE_MS = 5_000;
const MAIL_MAX_LINES = 50;

/**
 * Sends the mail of the installation, by the outbox of deliveries (store/deliveries.ts): at least once, with the same Message-ID each time.
 * A mail is entered together with what it announces, and made when it is sent, of what its recipient may read then; if that is nothing, none
 * is sent. To a user only one mail is open at a time: what comes while the mail server is unavailable is one mail when it is back.
 */
export class MailSender implements WorkSource {
  readonly name = "the mail";
  readonly parallel = MAIL_PARALLEL;
  readonly #notifications: Notifications;
  readonly #mail: NonNullable<Notifications["mail"]>;
  readonly #log: Pick<Logger, "warn">;

  constructor(
    notifications: Notifications,
    mail: NonNullable<Notifications["mail"]>,
    log: Pick<Logger, "warn">,
  ) {
    this.#notifications = notifications;
    this.#mail = mail;
    this.#log = log;
  }

  async find() {
    const { kysely } = this.#notifications.database;
    const candidates = await findMailCandidates(kysely);
    const settingsOf = await readSettings(
      kysely,
      candidates.map(({ user }) => user),
    );
    for (const one of candidates) await this.#enterDue(one, settingsOf(one.user));
    return [{ id: "mail", table: null, isDue: await isMailDue(kysely) }];
  }

  async step(_id: string, free: number) {
    if (free <= 0) return { isMore: false, attempts: [] };
    const { kysely } = this.#notifications.database;
    const claimed = await claimDeliveries(kysely, null, { limit: free, holdMs: this.#holdMs });
    const attempts = claimed.map((row) =>
      this.#attempt(row).catch((err: unknown) =>
        this.#log.warn({ err, mail: row.id }, "a mail failed"),
      ),
    );
    return { isMore: false, attempts };
  }

  get #holdMs(): number {
    return this.#notifications.limits.MAIL_TIMEOUT_MS + CLAIM_GRACE_MS;
  }

  /** Puts what waits into a mail, if it is time for one. */
  async #enterDue({ user, since, last }: MailCandidate, settings: StoredSettings): Promise<void> {
    const { model, limits } = this.#notifications;
    const zone = zoneOfUser(settings, model);
    const now = Date.now();
    if (isQuiet(settings, now, zone)) return;
    const isPaused = last !== null && now - Date.parse(last) < limits.MAIL_INTERVAL_MS;
    const isDigestDue = since.daily !== null && Date.parse(since.daily) < lastDigestTime(now, zone);
    if (since.now !== null && !isPaused) await this.#enter(user, "now");
    else if (isDigestDue) await this.#enter(user, "daily");
  }

  async #enter(user: string, when: "now" | "daily"): Promise<void> {
    const id = `mail_${randomUUID()}`;
    const type: MailType = when === "now" ? "notifications" : "digest";
    await this.#notifications.database.kysely.transaction().execute(async (tx) => {
      if (await putIntoMail(tx, user, when, id)) await enterMail(tx, { id, user, type });
    });
  }

  async #attempt(row: DeliveryRow): Promise<void> {
    const { database, limits } = this.#notifications;
    const made = await this.#make(row);
    const outcome = made
      ? outcomeOf(limits, row, await this.#mail.mailer.send(row.id, made.mail))
      : skipped;
    // Before the outcome is stored, while nothing else is put into a mail to this user.
    if (outcome.state === "delivered") {
      await forgetMailed(database.kysely, row.id, made?.rows ?? []);
    }
    await storeOutcome(database.kysely, null, row, outcome, this.#holdMs);
    const isOver = outcome.state !== "retrying";
    if (isOver && (row.type === "invitation" || row.type === "password_reset")) {
      await forgetMailedLink(database.kysely, row.type, row.record ?? "");
    }
  }

  /** The mail, and the entries as they were read for it. Null: there is nothing to send any more. */
  async #make({
    id,
    type,
    record: user,
  }: DeliveryRow): Promise<{ mail: Mail; rows?: EntryRow[] } | null> {
    if (user === null) return null;
    if (type === "invitation" || type === "password_reset") {
      const mail = await this.#makeLink(type, user);
      return mail && { mail };
    }
    const { database, model } = this.#notifications;
    const { publicUrl } = this.#mail;
    const me = await identify(database.kysely, { kind: "user", id: user });
    if (!me) return null;
    const { items, rows } = await itemsOfMail(this.#notifications, me, id);
    if (items.length === 0) return null;
    const zone = zoneOfUser((await readSettings(database.kysely, [user]))(user), model);
    const lines = items.slice(0, MAIL_MAX_LINES).map((item) => lineOf(item, publicUrl, zone));
    const mail = notificationMail({ name: me.user.name, address: me.user.email }, lines, {
      isDigest: type === "digest",
      more: items.length - lines.length,
      unsubscribe: await unsubscribeToken(database.kysely, user),
      publicUrl,
    });
    return { mail, rows };
  }

  async #makeLink(type: "invitation" | "password_reset", user: string): Promise<Mail | null> {
    const { auth } = this.#notifications;
    const [found, link] = [await findUser(auth.db, user), await readMailedLink(auth, type, user)];
    if (!found || !link) return null;
    const to = { name: found.name, address: found.email };
    return linkMail(type, to, { ...link, publicUrl: this.#mail.publicUrl });
  }
}

function lineOf({ text, table, record, at }: InboxItem, publicUrl: string, zone: string): MailLine {
  const address =
    table === null ? `/changes/${encodeURIComponent(record)}` : recordAddress(table, record);
  return { text, href: `${publicUrl}${address}`, note: timeText(at, zone) };
}
