import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MailReceiver } from "../../e2e/notifications/mail-receiver.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { notificationMail, testMail } from "./mail-texts.ts";
import { Mailer, outcomeOf } from "./mailer.ts";

const to = "you@example.com";
let mails: MailReceiver;
beforeAll(async () => {
  mails = await MailReceiver.open();
});
afterAll(() => mails[Symbol.asyncDispose]());

function mailerAt(publicUrl: string): Mailer {
  const { SMTP_URL: url, MAIL_FROM: from } = mails.environment;
  return new Mailer({ smtp: { url, from }, publicUrl, limits: defaultLimits });
}
async function sentFrom(publicUrl: string) {
  expect(await mailerAt(publicUrl).send("mail_1", testMail(to, publicUrl))).toMatchObject({
    error: null,
  });
  return mails.of(to).at(-1);
}

describe("a mail", () => {
  it("names its sender by the name of the public address, where that is one", async () => {
    expect((await sentFrom("https://desk.example.com"))?.client).toBe("desk.example.com");
    for (const address of ["http://10.1.2.3:8080", "http://[fe80::1]:8080", "http://localhost"]) {
      const sent = await sentFrom(address);
      expect(new URL(address).hostname, address).not.toBe(sent?.client);
    }
  });

  it("asks programs for no automatic reply", async () => {
    const { headers } = (await sentFrom("https://desk.example.com")) ?? {};
    expect(headers).toContain("Auto-Submitted: auto-generated");
    expect(headers).toContain("X-Auto-Response-Suppress: OOF, AutoReply");
  });

  it.each([
    { code: 530, text: "5.7.0 Must issue a STARTTLS command first", state: "retrying" },
    { code: 530, text: "5.7.0 Authentication required", state: "retrying" },
    { code: 421, text: "4.7.0 Try again later", state: "retrying" },
    { code: 451, text: "4.7.1 Greylisted, try again later", state: "retrying" },
    { code: 550, text: "5.7.1 Sender not allowed", state: "given_up" },
  ])("whose server answers $code $text is $state", async ({ code, text, state }) => {
    mails.closed = { code, text };
    const publicUrl = "https://desk.example.com";
    const result = await mailerAt(publicUrl).send("mail_2", testMail(to, publicUrl));
    mails.closed = null;
    expect(result).toMatchObject({ status: code, excerpt: expect.stringContaining(text) });
    const row = { attempts: 1, type: "invitation", createdAt: new Date().toISOString() };
    expect(outcomeOf(defaultLimits, row, result)).toMatchObject({ state });
  });
});

it("cuts a subject between two characters, never within one", () => {
  const text = `${"a".repeat(119)}${"🦆".repeat(9)}`;
  const line = { text, href: "https://desk.example.com/t/a/b", note: "now" };
  const { subject } = notificationMail({ name: "", address: to }, [line], {
    ...{ isDigest: false, more: 0, unsubscribe: "token", publicUrl: "https://desk.example.com" },
  });
  expect(subject).toBe(`${"a".repeat(119)}🦆…`);
});
