import { expect, it } from "vitest";
import { MailReceiver } from "../../../e2e/notifications/mail-receiver.ts";
import { readConfig } from "../../config/config.ts";
import { checkMail } from "./check-mail.ts";

const to = "you@example.com";

it("sends a test to an address, and says what the mail server answered", async () => {
  await using mails = await MailReceiver.open();
  const config = readConfig({ ...mails.environment, PUBLIC_URL: "https://desk.example.com" });
  expect(await checkMail(config, undefined)).toEqual([]);
  expect(mails.received).toEqual([]);
  expect(await checkMail(config, to)).toEqual([]);
  expect(mails.of(to)).toMatchObject([{ subject: "Mail from Watchfloor works" }]);
  mails.refused.add(to);
  const [refused] = await checkMail(config, to);
  expect(refused).toMatchObject({
    level: "fault",
    message: expect.stringContaining("No such mailbox"),
  });
  await mails.stop();
  for (const address of [to, undefined]) {
    const [away] = await checkMail(config, address);
    expect(away?.message).toContain("ECONNREFUSED");
  }
});

it("says what is missing", async () => {
  const off = await checkMail(readConfig({}), to);
  expect(off).toMatchObject([{ message: expect.stringContaining("SMTP_URL is not set") }]);
  expect(() => readConfig({ SMTP_URL: "smtp://mail.example.com" })).toThrow(/MAIL_FROM is missing/);
});
