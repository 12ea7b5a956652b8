import type { MailType } from "../store/deliveries.ts";
import type { Mail } from "./mailer.ts";

/**
 * The texts of mails, each as text and as HTML. Styles are inline and few, widths are in percent, and nothing is loaded: mail programs
 * know little more. Both colour schemes are declared, so that a program in the dark does not invert what it does not know.
 */

/** One line of a notification, with where it leads. */
export interface MailLine {
  text: string;
  href: string;
  /** Who and when. */
  note: string;
}

interface MailContent {
  title: string;
  paragraphs: readonly string[];
  lines?: readonly MailLine[];
  action: { label: string; href: string };
  footer: readonly (string | { label: string; href: string })[];
}

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

function toText({ title, paragraphs, lines = [], action, footer }: MailContent): string {
  const notes = lines.map(({ text, href, note }) => `- ${text}\n  ${note}\n  ${href}`);
  const end = footer.map((part) =>
    typeof part === "string" ? part : `${part.label}: ${part.href}`,
  );
  return [title, ...paragraphs, ...notes, `${action.label}: ${action.href}`, "-- ", ...end]
    .join("\n\n")
    .replaceAll("-- \n\n", "-- \n");
}

function toHtml({ title, paragraphs, lines = [], action, footer }: MailContent): string {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:15px;line-height:1.5">${escaped(text)}</p>`;
  const rows = lines.map(
    ({ text, href, note }) =>
      `<tr><td style="padding:12px 0;border-top:1px solid #8884"><a class="line" href="${escaped(href)}" style="color:inherit;text-decoration:none;font-size:15px;line-height:1.45;overflow-wrap:anywhere"><span style="display:block">${escaped(text)}</span><span class="dim" style="display:block;font-size:13px;color:#59636e">${escaped(note)}</span></a></td></tr>`,
  );
  const end = footer.map((part) =>
    typeof part === "string"
      ? escaped(part)
      : `<a href="${escaped(part.href)}" style="color:inherit">${escaped(part.label)}</a>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body,.page{background:#15181c!important;color:#e6e8eb!important}.card{background:#1d2126!important;border-color:#333a42!important}.dim{color:#9aa4af!important}}</style></head>
<body class="page" style="margin:0;background:#f4f5f7;color:#1f2328;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #d8dce1;border-radius:10px;text-align:left"><tr><td style="padding:28px 24px">
<h1 style="margin:0 0 16px;font-size:19px;line-height:1.35;overflow-wrap:anywhere">${escaped(title)}</h1>
${paragraphs.map(paragraph).join("\n")}
${rows.length > 0 ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-bottom:1px solid #8884">${rows.join("\n")}</table>` : ""}
<a href="${escaped(action.href)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#0b6477;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escaped(action.label)}</a>
</td></tr></table>
<p class="dim" style="max-width:560px;margin:16px auto 0;font-size:12px;line-height:1.5;color:#59636e;text-align:center">${end.join("&#160;· ")}</p>
</td></tr></table></body></html>`;
}

const mailOf = (to: Mail["to"], subject: string, content: MailContent): Mail => ({
  to,
  subject,
  text: toText(content),
  html: toHtml(content),
});

/** The mail with a one-time link. It says nothing that an unknown reader of the mailbox could use without the link. */
export function linkMail(
  type: Extract<MailType, "invitation" | "password_reset">,
  to: Mail["to"],
  { token, expires, publicUrl }: { token: string; expires: string; publicUrl: string },
): Mail {
  const host = new URL(publicUrl).host;
  const until = `The link works once, until ${timeText(expires, "UTC")}.`;
  const footer = [`Sent by Watchfloor at ${host}. If you did not expect it, ignore it.`];
  if (type === "invitation") {
    return mailOf(to, `Your invitation to Watchfloor at ${host}`, {
      title: "You are invited to Watchfloor",
      paragraphs: [
        `${to.name}, an account was made for you at ${host}.`,
        `Accept the invitation to begin. ${until}`,
      ],
      action: { label: "Accept invitation", href: `${publicUrl}/invitation#${token}` },
      footer,
    });
  }
  return mailOf(to, `Choose a new password for Watchfloor at ${host}`, {
    title: "Choose a new password",
    paragraphs: [
      `${to.name}, somebody who manages users at ${host} has made a link by which you choose a new password.`,
      `${until} Until then your present password stays valid.`,
    ],
    action: { label: "Choose a new password", href: `${publicUrl}/password-reset#${token}` },
    footer,
  });
}

const SUBJECT_MAX_CHARACTERS = 120;

/** The beginning of a long text. Characters of two code units stay whole: half of one is a � in a mail. */
export const shortened = (text: string, max: number) =>
  text.length > max ? `${[...text].slice(0, max).join("")}…` : text;

/** The mail of what somebody is notified of; `lines` are not empty. */
export function notificationMail(
  to: Mail["to"],
  lines: readonly MailLine[],
  {
    isDigest,
    more,
    publicUrl,
    unsubscribe,
  }: { isDigest: boolean; more: number; publicUrl: string; unsubscribe: string },
): Mail {
  const count = lines.length + more;
  const several = isDigest ? `Your day: ${count} notifications` : `${count} notifications`;
  const first = lines[0]?.text ?? "";
  const subject = count === 1 ? shortened(first, SUBJECT_MAX_CHARACTERS) : several;
  const link = `${publicUrl}/unsubscribe/${unsubscribe}`;
  const mail = mailOf(to, subject, {
    title: count === 1 ? "A notification for you" : several,
    paragraphs: [],
    lines,
    action: {
      label: more > 0 ? `Open inbox (${more} more)` : "Open inbox",
      href: `${publicUrl}/inbox`,
    },
    footer: [
      `Sent by Watchfloor at ${new URL(publicUrl).host}`,
      { label: "Preferences", href: `${publicUrl}/me` },
      { label: "Unsubscribe", href: link },
    ],
  });
  // One click is promised only where the request can't be read on the way (RFC 8058).
  const isSecure = publicUrl.startsWith("https:");
  return {
    ...mail,
    headers: {
      "List-Unsubscribe": `<${link}>`,
      ...(isSecure && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    },
  };
}

/** The test of `watchfloor doctor --mail`. */
export function testMail(address: string, publicUrl: string): Mail {
  return mailOf({ name: "", address }, "Mail from Watchfloor works", {
    title: "Mail works",
    paragraphs: ["This is the test that watchfloor doctor was asked for."],
    action: { label: "Open Watchfloor", href: publicUrl },
    footer: [`Sent by Watchfloor at ${new URL(publicUrl).host}`],
  });
}

/** A moment in the words of mail: no reader's format is known there. */
export function timeText(at: string, zone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    dateStyle: "medium",
    timeStyle: "short",
  });
  return `${format.format(new Date(at))} ${zone === "UTC" ? "UTC" : ""}`.trim();
}
