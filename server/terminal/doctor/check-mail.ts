import { randomUUID } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { testMail } from "../../notifications/mail-texts.ts";
import { Mailer } from "../../notifications/mailer.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Faults of mail. With an address, a test is sent to it. */
export async function checkMail(
  { smtp, publicUrl, limits }: Pick<Config, "smtp" | "publicUrl" | "limits">,
  to: string | undefined,
): Promise<Finding[]> {
  const { fault } = findingsOf("mail");
  if (!smtp) {
    if (to === undefined) return [];
    return [
      fault(
        "SMTP_URL is not set: no mail is sent.",
        "Set SMTP_URL and MAIL_FROM (docs/guides/mail.md).",
      ),
    ];
  }
  if (publicUrl === undefined) {
    const message = "SMTP_URL is set, but PUBLIC_URL is not: no mail is sent.";
    return [fault(message, "Set PUBLIC_URL to the address that users open.")];
  }
  const mailer = new Mailer({ smtp, publicUrl, limits });
  if (to === undefined) {
    const problem = await mailer.verify();
    if (problem === null) return [];
    const message = `The mail server ${new URL(smtp.url).host} can't be used: ${problem}.`;
    return [fault(message, "Correct SMTP_URL, or ask whoever runs the mail server. Mail waits.")];
  }
  const { error, excerpt } = await mailer.send(`test_${randomUUID()}`, testMail(to, publicUrl));
  if (error === null) return [];
  const { host } = new URL(smtp.url);
  const message = `The mail server ${host} did not accept the test to ${to}: ${excerpt ?? error}.`;
  return [fault(message, "Correct SMTP_URL or MAIL_FROM, or ask whoever runs the mail server.")];
}
