import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { InboxItem } from "../../shared/protocol/inbox.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { zoneAtNoon } from "../harness/zone-at-noon.ts";
import { proofSize } from "../provision/proof-size.ts";
import { TappedLine } from "../rights/tapped-line.ts";
import { MailReceiver } from "./mail-receiver.ts";

const WITHIN_MS = 60_000;
const PUBLIC_URL = "https://desk.example.com";
/** It is noon where Ann is. */
const quietNow = { from: "06:00", to: "18:00" };
let installation: TestInstallation;
let mails: MailReceiver;
let boss: TestUser;
let ann: TestUser;
let readerRole: string;
let records = 0;

beforeAll(async () => {
  mails = await MailReceiver.open();
  installation = await TestInstallation.openInProcess({
    environment: {
      ...mails.environment,
      PUBLIC_URL,
      MAIL_INTERVAL_MS: "300",
      MAIL_TIMEOUT_MS: "4000",
      WATCH_CLOCK_MS: "300",
      WEBHOOK_RETRY_FIRST_MS: "100",
      WEBHOOK_RETRY_MAX_MS: "100",
    },
  });
  boss = installation.ownerUser;
  const role = await boss.call<{ id: string }>("POST", "/roles", {
    name: "Reader",
    rights: [],
    grants: { incidents: { read: true, update: true, create: true, comment: true, history: true } },
  });
  readerRole = role.id;
  ann = await addUser(installation.server.url, boss, "Ann Reader", readerRole);
  await ann.call("PUT", "/me/notifications", { zone: zoneAtNoon() });
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

interface Inbox {
  items: InboxItem[];
  total: number | "99+";
  unread: number | "99+";
}
const inbox = (of: TestUser, query = "") => of.call<Inbox>("GET", `/inbox${query}`);
const allRead = (of: TestUser) => of.call("POST", "/inbox/read", { all: true });

async function newIncident(values: object = {}, by = boss): Promise<string> {
  const record = `notified-${++records}`;
  await by.call("POST", "/tables/incidents/records", {
    record,
    values: { title: `Incident ${records}`, state: "New", ...values },
  });
  return record;
}

const edit = (by: TestUser, record: string, set: object) =>
  by.call("PATCH", `/tables/incidents/records/${record}?overwrite=true`, { set });

/** Waits until the follower has passed everything that was committed before: a marker record is noticed. */
async function followed(): Promise<void> {
  const record = await newIncident({ assignee: ann.info.id });
  await until("the marker", WITHIN_MS, async () =>
    (await inbox(ann)).items.some((item) => item.record === record),
  );
  await ann.call("POST", "/inbox/read", { table: "incidents", record });
}

const entryOf = (record: string, cause: InboxItem["cause"], of = ann) =>
  until(`${cause} of ${record}`, WITHIN_MS, async () =>
    (await inbox(of, "?unread=1")).items.find(
      (item) => item.record === record && item.cause === cause,
    ),
  );

const withoutMail = { mention: "off", assignment: "off", watch: "off", changeSet: "off" };
const mailBy = (of: TestUser, when: Record<string, string>) =>
  of.call(
    "PUT",
    "/me/notifications",
    Object.fromEntries(Object.entries(when).map(([cause, mail]) => [cause, { inbox: true, mail }])),
  );

beforeEach(async () => {
  await mailBy(ann, withoutMail);
  await allRead(ann);
});

describe("the inbox", () => {
  it("K7 is announced to each connection of its user, without a text", async () => {
    const record = await newIncident();
    const notices: unknown[] = [];
    const line = new TappedLine(
      { url: installation.server.url, token: ann.token },
      () => undefined,
    );
    await line.open();
    line.socket.on("notice", (notice) => notices.push(notice));
    await edit(boss, record, { assignee: ann.info.id });
    await until("the notice", WITHIN_MS, () =>
      notices.some((one) => JSON.stringify(one) === '{"kind":"inbox"}'),
    );
    const seen = notices.length;
    await ann.call("POST", "/inbox/read", { table: "incidents", record });
    await until("that it was read", WITHIN_MS, () => notices.length > seen);
    line.socket.close();
  });

  it("holds an entry for each cause, folded while unread, and nothing of one's own", async () => {
    const record = await newIncident();
    await ann.call("PUT", "/watches", { table: "incidents", record });
    await edit(boss, record, { assignee: ann.info.id });
    await boss.call("POST", "/comments", {
      table: "incidents",
      record,
      text: `Please look, <@${ann.info.id}>`,
    });
    await edit(boss, record, { urgency: "1 - High", notes: "The beginning of a long text" });
    const title = `Incident ${records}`;
    const mention = await entryOf(record, "mention");
    expect(mention.text).toContain(`${title}: Please look, @Ann Reader`);
    expect((await entryOf(record, "assignment")).text).toContain(`${title} to you`);
    const watch = await until("the last change", WITHIN_MS, async () => {
      const found = await entryOf(record, "watch");
      return found.text.includes("1 - High") ? found : null;
    });
    expect(watch).toMatchObject({ table: "incidents", by: { kind: "user", id: boss.info.id } });
    expect(watch.text).toMatch(/Notes/);
    expect(watch.text).not.toContain("The beginning");
    // Her own actions notify only others.
    const own = await newIncident({}, ann);
    await ann.call("PUT", "/watches", { table: "incidents", record: own });
    await edit(ann, own, { assignee: ann.info.id, title: "Mine" });
    await ann.call("POST", "/comments", {
      table: "incidents",
      record: own,
      text: `<@${ann.info.id}>`,
    });
    await followed();
    const { items, unread, total } = await inbox(ann, "?unread=1");
    expect(items.map(({ cause }) => cause).sort()).toEqual(["assignment", "mention", "watch"]);
    expect({ unread, total }).toEqual({ unread: 3, total: 3 });
    await ann.call("POST", "/inbox/read", { table: "incidents", record });
    expect(await inbox(ann, "?unread=1")).toEqual({ items: [], total: 0, unread: 0 });
    // A change after that is another entry.
    await edit(boss, record, { urgency: "2 - Medium" });
    expect((await entryOf(record, "watch")).id).not.toBe(watch.id);
  });

  it("notices what enters and leaves a watched view, changes of chosen fields, and what time moves", async () => {
    const view = await boss.call<{ id: string }>("POST", "/views", {
      table: "incidents",
      name: "Urgent and due",
      shared: true,
      filter: {
        and: [
          { field: "location", op: "eq", value: "Depot" },
          { field: "due_at", op: "gt", value: "$now" },
        ],
      },
    });
    await ann.call("PUT", "/watches", { table: "incidents", view: view.id, fields: ["impact"] });
    const far = new Date(Date.now() + 3_600_000).toISOString();
    const record = await newIncident({ location: "Depot", due_at: far });
    expect((await entryOf(record, "watch")).text).toContain("entered “Urgent and due”");
    await allRead(ann);
    await edit(boss, record, { urgency: "1 - High" });
    await edit(boss, record, { impact: "1 - High" });
    expect((await entryOf(record, "watch")).text).toMatch(/changed .*Impact.*1 - High/);
    await allRead(ann);
    await edit(boss, record, { location: "Office" });
    expect((await entryOf(record, "watch")).text).toContain("left “Urgent and due”");
    // This one leaves it because its time comes, later than a change of it is noticed on a machine of any speed.
    const began = Date.now();
    const leaving = await newIncident({ location: "Depot", due_at: far });
    await entryOf(leaving, "watch");
    await allRead(ann);
    const soon = Date.now() + 500 + 5 * (Date.now() - began);
    await edit(boss, leaving, { due_at: new Date(soon).toISOString() });
    expect(await entryOf(leaving, "watch")).toMatchObject({ by: null });
    const watches = await ann.call<{ items: { id: string; view: string }[] }>("GET", "/watches");
    const watch = watches.items.find((one) => one.view === view.id);
    await ann.call("DELETE", `/watches/${watch?.id}`);
  });

  it("notifies the author of a change set that was applied in batches", async () => {
    const ops = [{ op: "create", table: "incidents", values: { title: "By a set", state: "New" } }];
    const { id } = await ann.call<ChangeSetInfo>("POST", "/change-sets", { title: "Many", ops });
    await ann.call("POST", `/change-sets/${id}/apply`, { atomic: false });
    expect((await entryOf(id, "changeSet")).text).toBe("Your change set “Many” was applied.");
  });

  it("counts exactly up to a hundred", async () => {
    await boss.call("POST", "/mutations", {
      id: crypto.randomUUID(),
      ops: Array.from({ length: 101 }, (_, index) => ({
        op: "create",
        table: "incidents",
        values: { title: `Many ${index}`, state: "New", assignee: ann.info.id },
      })),
    });
    await until("all", WITHIN_MS, async () => (await inbox(ann)).unread === "99+");
    const [first] = (await inbox(ann)).items;
    await ann.call("POST", "/inbox/read", { ids: [first?.id] });
    expect((await inbox(ann, "?limit=1")).unread).toBe(100);
  });
});

describe("rights that were taken away", () => {
  it("leave no text, no count and no mail of what was noticed before", async () => {
    const secret = await newIncident({ title: "Secret plan", location: "Bunker" });
    await ann.call("PUT", "/watches", { table: "incidents", record: secret });
    await mailBy(ann, { ...withoutMail, watch: "now", mention: "now", assignment: "now" });
    const before = mails.of(ann.info.email).length;
    await ann.call("PUT", "/me/notifications", { quiet: quietNow });
    await edit(boss, secret, { assignee: ann.info.id, title: "Secret plan of today" });
    await boss.call("POST", "/comments", {
      table: "incidents",
      record: secret,
      text: `Secret <@${ann.info.id}>`,
    });
    await entryOf(secret, "watch");
    await entryOf(secret, "assignment");
    const grants = (read: unknown) => ({
      incidents: { read, update: true, comment: true, history: true },
    });
    await boss.call("PATCH", `/roles/${readerRole}`, {
      grants: grants({ filter: { field: "location", op: "ne", value: "Bunker" } }),
    });
    const shown = await inbox(ann);
    expect(JSON.stringify(shown)).not.toContain("Secret");
    expect(shown.items.some(({ record }) => record === secret)).toBe(false);
    expect(shown.unread).toBe(0);
    // Its mail is made by the rights of now: there is none.
    await ann.call("PUT", "/me/notifications", { quiet: null });
    await until("that nothing is left to send", WITHIN_MS, async () => {
      const { rows } = await installation.program.query(
        `select from watchfloor.delivery d where d.user_id = $1 and d.state = 'skipped' and d.type = 'notifications'
          and not exists (select from watchfloor.inbox_entry e where e.user_id = $1 and e.mail <> 'off')`,
        [ann.info.id],
      );
      return rows.length > 0;
    });
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    await boss.call("PATCH", `/roles/${readerRole}`, { grants: grants({ hide: ["assignee"] }) });
    expect((await inbox(ann, "?unread=1")).items.map(({ cause }) => cause).sort()).toEqual([
      "mention",
      "watch",
    ]);
    await boss.call("PATCH", `/roles/${readerRole}`, { grants: { ...grants(true) } });
    const visible = await newIncident({ title: "For all", assignee: ann.info.id });
    const mail = await until("the mail", WITHIN_MS, () =>
      mails.of(ann.info.email).find(({ body }) => body.includes("For all")),
    );
    expect(visible).toBeDefined();
    for (const one of mails.of(ann.info.email).slice(before)) {
      if (one !== mail) expect(one.raw).not.toContain("Secret");
    }
  });
});

describe("an entry of several events", () => {
  const mayRead = (read: unknown) =>
    boss.call("PATCH", `/roles/${readerRole}`, {
      grants: { incidents: { read, update: true, comment: true, history: true } },
    });
  let ben: TestUser;

  beforeAll(async () => {
    await mayRead(true);
    ben = await addUser(installation.server.url, boss, "Ben Hidden", "editor");
  });

  afterEach(async () => {
    await ann.call("PUT", "/me/notifications", { quiet: null });
    await mayRead(true);
  });

  it("says of what can still be read who did it, when and how often, and nothing of the rest", async () => {
    await mailBy(ann, { ...withoutMail, watch: "now" });
    await ann.call("PUT", "/me/notifications", { quiet: quietNow });
    const before = mails.of(ann.info.email).length;
    const record = await newIncident();
    await followed();
    await ann.call("PUT", "/watches", { table: "incidents", record });
    await edit(boss, record, { urgency: "1 - High" });
    const seen = await entryOf(record, "watch");
    await edit(ben, record, { location: "Bunker" });
    await edit(ben, record, { location: "Deep bunker" });
    await until("the fold", WITHIN_MS, async () =>
      (await entryOf(record, "watch")).text.match(/Ben.*Deep bunker.*and 2 more/),
    );
    await mayRead({ hide: ["location"] });
    const { items, unread } = await inbox(ann, "?unread=1");
    const [item] = items.filter((one) => one.record === record);
    expect(unread).toBe(items.length);
    expect(item).toMatchObject({ at: seen.at, by: { id: boss.info.id } });
    expect(item?.text).toMatch(/Urgency.*1 - High\.$/);
    await ann.call("PUT", "/me/notifications", { quiet: null });
    const mail = await until("the mail", WITHIN_MS, () => mails.of(ann.info.email)[before]);
    expect(mail.raw).not.toMatch(/Ben|unker|more/);
    await mayRead(true);
    expect((await entryOf(record, "watch")).text).toMatch(/Ben.*Deep bunker.*and 2 more/);
  });

  it("is gone where each of them was of what can't be read any more", async () => {
    const view = await boss.call<{ id: string }>("POST", "/views", {
      table: "incidents",
      name: "Impact is high",
      shared: true,
      filter: { field: "impact", op: "eq", value: "1 - High" },
    });
    const record = await newIncident();
    await followed();
    await ann.call("PUT", "/watches", { table: "incidents", record, fields: ["location"] });
    await ann.call("PUT", "/watches", { table: "incidents", view: view.id });
    await edit(ben, record, { location: "Bunker" });
    await entryOf(record, "watch");
    await edit(ben, record, { impact: "1 - High" });
    await until("the fold", WITHIN_MS, async () =>
      (await entryOf(record, "watch")).text.includes("entered"),
    );
    await mayRead({ hide: ["location", "impact"] });
    const { items } = await inbox(ann);
    expect(items.filter((one) => one.record === record)).toEqual([]);
    await mayRead(true);
  });

  it("counts a change once, though a record and a view are watched, and is as old as the change", async () => {
    const view = await boss.call<{ id: string }>("POST", "/views", {
      ...{ table: "incidents", name: "All", shared: true, filter: null },
    });
    const record = await newIncident();
    await followed();
    await ann.call("PUT", "/watches", { table: "incidents", record });
    const fields = ["urgency"];
    await ann.call("PUT", "/watches", { table: "incidents", view: view.id, fields });
    await edit(boss, record, { urgency: "1 - High" });
    const entry = await entryOf(record, "watch");
    expect(entry.text).toMatch(/1 - High\.$/);
    const { items } = await boss.call<{ items: { at: string }[] }>(
      "GET",
      `/tables/incidents/records/${record}/history`,
    );
    expect(Date.parse(entry.at)).toBe(Date.parse(items[0]?.at ?? ""));
  });

  it("goes on with a mention after a later one was deleted", async () => {
    const record = await newIncident();
    const mention = (text: string) =>
      boss.call<{ id: string }>("POST", "/comments", {
        ...{ table: "incidents", record },
        text: `${text} <@${ann.info.id}>`,
      });
    await mention("The first");
    const { id } = await mention("The second");
    expect((await entryOf(record, "mention")).text).toMatch(/second.*and 1 more/);
    await boss.call("DELETE", `/comments/${id}`);
    expect((await entryOf(record, "mention")).text).toMatch(/The first @Ann Reader$/);
  });
});

describe("mail", () => {
  it("is sent at once, at most one in an interval, with one click to end it", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    const before = mails.of(ann.info.email).length;
    const record = await newIncident({ title: "Look <b>here</b>", assignee: ann.info.id });
    const mail = await until("a mail", WITHIN_MS, () => mails.of(ann.info.email)[before]);
    expect(mail.subject).toContain("Look <b>here</b> to you");
    expect(mail.body).toContain(`${PUBLIC_URL}/t/incidents/${record}`);
    expect(mail.body).toContain("&#60;b&#62;");
    expect(mail.headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(mail.id).toMatch(/^<mail_[\w-]+@desk\.example\.com>$/);
    const [, path = ""] =
      /List-Unsubscribe: <https:\/\/desk\.example\.com([^>]+)>/.exec(mail.headers) ?? [];
    // Programs that scan mail open every link.
    await fetch(`${installation.server.url}${path}`);
    const settings = () => ann.call<{ assignment: { mail: string } }>("GET", "/me/notifications");
    expect((await settings()).assignment.mail).toBe("now");
    const answer = await fetch(`${installation.server.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://mail.example.net",
        "sec-fetch-site": "cross-site",
      },
      body: "List-Unsubscribe=One-Click",
    });
    expect(answer.status).toBe(204);
    expect((await settings()).assignment.mail).toBe("off");
    const wrong = await fetch(`${installation.server.url}/api/v1/unsubscribe/wrong`, {
      method: "POST",
    });
    expect(wrong.status).toBe(404);
  });

  it("holds no line, header or element that a value or a name of others has forged", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    const rogue = await addUser(installation.server.url, boss, 'Rogue <b>"x"</b>', readerRole);
    const before = mails.of(ann.info.email).length;
    const title = "Forged\r\nBcc: victim@example.com\r\n\r\nUnsubscribe: https://evil.example";
    await newIncident({ title: `${title}\u202e<img src=x>`, assignee: ann.info.id }, rogue);
    const mail = await until("a mail", WITHIN_MS, () => mails.of(ann.info.email)[before]);
    expect(mail.headers).not.toMatch(/^bcc:/im);
    expect(mails.of("victim@example.com")).toEqual([]);
    expect(mail.body).not.toMatch(/^Unsubscribe: https:\/\/evil/m);
    const [, html = ""] = mail.body.split("<!doctype html>");
    expect(html).toContain("Forged");
    expect(html).not.toMatch(/<img|<b>/);
    expect(mail.subject + mail.body).not.toContain("\u202e");
  });

  it("is a daily digest where that is chosen, of what came before the last eight o'clock", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "daily" });
    const before = mails.of(ann.info.email).length;
    const record = await newIncident({ title: "Of the day", assignee: ann.info.id });
    await entryOf(record, "assignment");
    await followed();
    expect(mails.of(ann.info.email).length).toBe(before);
    const older = "update watchfloor.inbox_entry set mail_since = now() - interval '25 hours'";
    await installation.program.query(`${older} where record = $1`, [record]);
    const mail = await until("the digest", WITHIN_MS, () => mails.of(ann.info.email)[before]);
    expect(mail.body).toContain("Of the day");
    expect(mail.body).toContain("Open inbox");
  });

  it("is not sent any more to who has ended it while its server was unavailable", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    await mails.stop();
    const before = mails.of(ann.info.email).length;
    await newIncident({ title: "Too late", assignee: ann.info.id });
    const state = async () => (await boss.call<SystemInfo>("GET", "/system")).mail;
    await until("a failed attempt", WITHIN_MS, async () =>
      (await state()).recent.some(({ error }) => error === "connection"),
    );
    await mailBy(ann, withoutMail);
    // Before the server is back: an attempt that is under way may have been made by her former choice.
    await until("that no mail waits", WITHIN_MS, async () => (await state()).open === 0);
    await mails.restart();
    expect(mails.of(ann.info.email).slice(before)).toEqual([]);
  });

  it("carries an invitation, whose link works once, and is not followed by opening it", async () => {
    const email = "invited@example.com";
    const made = await boss.call<{ id: string; mailed: boolean }>("POST", "/users", {
      ...{ email, name: "Ina", role: "viewer" },
    });
    expect(made.mailed).toBe(true);
    const mail = await until("the mail", WITHIN_MS, () => mails.of(email)[0]);
    const [, token = ""] = /\/invitation#([\w-]+)/.exec(mail.body) ?? [];
    const invitation = `${installation.server.url}/api/v1/invitations/${token}`;
    expect((await fetch(invitation)).headers.get("set-cookie")).toBeNull();
    const accept = () =>
      fetch(invitation, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ password: "a long enough password" }),
      });
    expect((await accept()).status).toBe(200);
    expect((await accept()).status).toBe(404);
    const reset = await boss.call<{ link: string; mailed: boolean }>(
      "POST",
      `/users/${made.id}/password-reset`,
    );
    const second = await until("the reset", WITHIN_MS, () => mails.of(email)[1]);
    expect(second.body).toContain(reset.link);
    const { rows } = await installation.program.query(
      "select secret from watchfloor.password_reset",
    );
    await until("that the token is forgotten", WITHIN_MS, async () => {
      const stored = await installation.program.query(
        "select secret from watchfloor.password_reset",
      );
      return stored.rows.every(({ secret }) => secret === null);
    });
    expect(rows.length).toBe(1);
  });

  it("is repeated with the same Message-ID where a slow server has accepted it unheard", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    mails.delayMs = 6_000;
    await newIncident({ title: "Slowly", assignee: ann.info.id });
    const ofSlow = () => mails.of(ann.info.email).filter(({ body }) => body.includes("Slowly"));
    const state = () => boss.call<SystemInfo>("GET", "/system");
    await until("a time-out", WITHIN_MS, async () =>
      (await state()).mail.recent.some(({ error }) => error === "timeout"),
    );
    mails.delayMs = 0;
    await until("both", WITHIN_MS, () => ofSlow().length >= 2);
    expect(new Set(ofSlow().map(({ id }) => id)).size).toBe(1);
  });

  it("waits while its server is down for an hour of attempts, and arrives once for each user", async () => {
    // The product tries once a minute, here every 100 ms; more often than a recipient who is refused is tried at all.
    const ATTEMPTS_OF_AN_HOUR = proofSize(16, 60);
    const users = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        addUser(installation.server.url, boss, `Waiting ${index}`, readerRole),
      ),
    );
    await Promise.all(users.map((user) => mailBy(user, { ...withoutMail, assignment: "now" })));
    await mails.stop();
    const open = async () =>
      (
        await installation.program.query<{ id: string; attempts: number; state: string }>(
          `select id, attempts, state from watchfloor.delivery where user_id = any($1) and kind = 'mail'`,
          [users.map(({ info }) => info.id)],
        )
      ).rows;
    for (const [index, { info }] of users.entries()) {
      await newIncident({ title: `Waiting ${index}`, assignee: info.id });
    }
    await until("a mail to each", WITHIN_MS, async () => (await open()).length === users.length);
    // The waits are a minute each, which is not waited for here.
    await until("an hour of attempts", 4 * WITHIN_MS, async () =>
      (await open()).every(({ attempts }) => attempts >= ATTEMPTS_OF_AN_HOUR),
    );
    expect((await open()).map(({ state }) => state)).toEqual(users.map(() => "retrying"));
    await mails.restart();
    await until("all", WITHIN_MS, async () =>
      (await open()).every(({ state }) => state === "delivered"),
    );
    for (const { id } of await open()) {
      const copies = mails.received.filter((mail) => mail.id === `<${id}@desk.example.com>`);
      expect(copies).toHaveLength(1);
    }
    for (const { info } of users) expect(mails.of(info.email)).toHaveLength(1);
  });

  it("says once what was added to its entries while its server was unavailable", async () => {
    const cat = await addUser(installation.server.url, boss, "Cat Twice", readerRole);
    await mailBy(cat, { ...withoutMail, mention: "now" });
    await mails.stop();
    const record = await newIncident();
    const title = `Incident ${records}`;
    const mention = (text: string, of = record) =>
      boss.call("POST", "/comments", {
        ...{ table: "incidents", record: of, text: `${text} <@${cat.info.id}>` },
      });
    const failed = "select 1 from watchfloor.delivery where user_id = $1 and attempts > 0";
    await mention("First");
    await until("a failed attempt", WITHIN_MS, async () =>
      Boolean((await installation.program.query(failed, [cat.info.id])).rowCount),
    );
    await mention("Second");
    await mails.restart();
    const mail = await until("the mail", WITHIN_MS, () => mails.of(cat.info.email)[0]);
    expect(mail.body).toContain("Second");
    const open = `select 1 from watchfloor.delivery
      where user_id = $1 and state in ('due', 'retrying')`;
    await until(
      "that none is open",
      WITHIN_MS,
      async () => (await installation.program.query(open, [cat.info.id])).rowCount === 0,
    );
    await mention("Third", await newIncident());
    await until("the next mail", WITHIN_MS, () =>
      mails.of(cat.info.email).find(({ body }) => body.includes("Third")),
    );
    const about = mails.of(cat.info.email).filter(({ body }) => body.includes(`${title}:`));
    expect(about.map(({ id }) => id)).toEqual([mail.id]);
  });

  it("waits while its server is unavailable, and goes to others while one recipient is refused", async () => {
    await mailBy(ann, { ...withoutMail, assignment: "now" });
    const ben = await addUser(installation.server.url, boss, "Ben Refused", readerRole);
    mails.refused.add(ben.info.email);
    await mails.stop();
    const before = mails.of(ann.info.email).length;
    await newIncident({ title: "While it was unavailable", assignee: ann.info.id });
    await newIncident({ title: "Nobody home", assignee: ben.info.id });
    const state = () => boss.call<SystemInfo>("GET", "/system");
    await until("a failed attempt", WITHIN_MS, async () =>
      (await state()).mail.recent.some(({ error }) => error === "connection"),
    );
    await mails.restart();
    const mail = await until("the mail", WITHIN_MS, () => mails.of(ann.info.email)[before]);
    expect(mail.body).toContain("While it was unavailable");
    const refused = await until("that it is given up", WITHIN_MS, async () =>
      (await state()).mail.recent.find(
        ({ state, user }) => state === "given_up" && user === "Ben Refused",
      ),
    );
    expect(refused).toMatchObject({ status: 550, attempts: expect.any(Number) });
    await sleep(0);
    expect(mails.of(ann.info.email).filter(({ id }) => id === mail.id)).toHaveLength(1);
  });
});
