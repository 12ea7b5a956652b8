import { createTransport } from "nodemailer";
import type { Limits } from "../../shared/limits.ts";
import type { WebhookFailure } from "../../shared/protocol/webhooks.ts";
import type { Config } from "../config/config.ts";
import { type AttemptOutcome, type DeliveryRow, retryDelay } from "../store/deliveries.ts";

/** A mail as it is sent. */
export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

type MailResult = Pick<AttemptOutcome, "status" | "excerpt" | "durationMs"> & {
  error: WebhookFailure | null;
  /** The server refuses this mail for good. */
  isRefused: boolean;
};

const EXCERPT_MAX_CHARACTERS = 400;
/** While the mail server can't be reached, mails are tried again at least this often: it is back for all of them at once. */
const AWAY_RETRY_MAX_MS = 60_000;
/** For so long. */
const AWAY_MAX_MS = 2 * 86_400_000;
const PERMANENT = 500;
/** The server wants a password or TLS before any mail (RFC 4954, RFC 3207): its settings or ours are wrong, not the mail. */
const AUTHENTICATION_REQUIRED = 530;
/** The codes of the library where it is the server that can't be reached, not the mail that is refused. */
const failures: Readonly<Record<string, WebhookFailure>> = {
  EDNS: "unresolved",
  ETIMEDOUT: "timeout",
  EABORT: "timeout",
  ETLS: "certificate",
};
const UNPRINTABLE = /[\p{Cc}\ufffd]+/gu;

/** The mail server of the installation. */
export class Mailer {
  readonly #smtp: NonNullable<Config["smtp"]>;
  readonly #host: string;
  readonly limits: Limits;

  constructor({
    smtp,
    publicUrl,
    limits,
  }: { smtp: NonNullable<Config["smtp"]>; publicUrl: string; limits: Limits }) {
    this.#smtp = smtp;
    this.#host = new URL(publicUrl).hostname;
    this.limits = limits;
  }

  /**
   * Sends a mail once, on a connection of its own: one from a pool may have been closed by the server. `id` is the same for each attempt at
   * it, and so is its Message-ID, by which mail programs know a repetition. Never throws.
   */
  async send(id: string, mail: Mail): Promise<MailResult> {
    const began = performance.now();
    const timeout = this.limits.MAIL_TIMEOUT_MS;
    const result = await this.#transport(timeout)
      .sendMail({
        ...mail,
        from: this.#smtp.from,
        messageId: `<${id}@${this.#host}>`,
        // No program sends an automatic reply: the second is for Exchange, which does not read the first.
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "OOF, AutoReply",
          ...mail.headers,
        },
        signal: AbortSignal.timeout(timeout),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      .then(
        ({ response }) => ({
          error: null,
          status: codeOf(response),
          excerpt: null,
          isRefused: false,
        }),
        failureOf,
      );
    return { ...result, durationMs: Math.round(performance.now() - began) };
  }

  /** Connects and signs in, and sends nothing. What is wrong; null if nothing. Never throws. */
  async verify(): Promise<string | null> {
    const transport = this.#transport(this.limits.MAIL_TIMEOUT_MS);
    try {
      await transport.verify();
      return null;
    } catch (error) {
      return failureOf(error as Error).excerpt;
    } finally {
      transport.close();
    }
  }

  /**
   * A password is sent over TLS alone, except on this machine. The server is greeted by the name of the public address: that of a container
   * is none, and relays refuse who calls itself 127.0.0.1.
   */
  #transport(timeout: number) {
    const { hostname, password, protocol } = new URL(this.#smtp.url);
    const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    const isName = /\.[a-z][^.]*$/.test(this.#host);
    return createTransport({
      url: this.#smtp.url,
      ...(isName && { name: this.#host }),
      requireTLS: protocol === "smtp:" && password !== "" && !isHere,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
    });
  }
}

function failureOf(error: Error): Omit<MailResult, "durationMs"> {
  const { code = "", responseCode = null } = error as { code?: string; responseCode?: number };
  const excerpt = error.message.replace(UNPRINTABLE, " ").trim().slice(0, EXCERPT_MAX_CHARACTERS);
  const isOfMail =
    responseCode !== null && code !== "EAUTH" && responseCode !== AUTHENTICATION_REQUIRED;
  if (isOfMail) {
    return { error: "status", status: responseCode, excerpt, isRefused: responseCode >= PERMANENT };
  }
  const failure = failures[code] ?? "connection";
  return { error: failure, status: responseCode, excerpt, isRefused: false };
}

function codeOf(response: string | undefined): number | null {
  const code = Number(/^\d{3}/.exec(response ?? "")?.[0]);
  return Number.isNaN(code) ? null : code;
}

/** What is to be stored of an attempt. */
export function outcomeOf(
  limits: Limits,
  { attempts, type, createdAt }: Pick<DeliveryRow, "attempts" | "type" | "createdAt">,
  { isRefused, ...result }: MailResult,
): AttemptOutcome {
  const delay = retryDelay(limits, attempts);
  if (result.error === null) return { ...result, type, state: "delivered", retryMs: 0 };
  const isAway = result.error !== "status";
  const isLast = isAway
    ? Date.now() - Date.parse(createdAt) > AWAY_MAX_MS
    : isRefused || attempts >= limits.WEBHOOK_MAX_ATTEMPTS;
  const retryMs = isAway ? Math.min(delay, AWAY_RETRY_MAX_MS) : delay;
  return { ...result, type, state: isLast ? "given_up" : "retrying", retryMs };
}
