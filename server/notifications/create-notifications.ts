import type { MailOff } from "../../shared/protocol/inbox.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { Comments } from "../comments/comment-access.ts";
import { type Config, mailOff } from "../config/config.ts";
import type { Context } from "../store/published-model.ts";
import { Mailer } from "./mailer.ts";

/**
 * What the functions of this folder work on: what users are notified of. An inbox is read on the connections of reads; the log is followed,
 * and mail sent, on those of `database`, for which nobody's edit waits.
 */
export interface Notifications extends Context {
  auth: Pick<Auth, "db" | "limits" | "box">;
  comments: Comments;
  /** Null: the installation sends no mail, by `off`. */
  mail: { mailer: Mailer; publicUrl: string } | null;
  off: MailOff | null;
}

export function createNotifications(
  config: Pick<Config, "smtp" | "publicUrl" | "limits">,
  parts: Omit<Notifications, "mail" | "off">,
): Notifications {
  const { smtp, publicUrl, limits } = config;
  const mail =
    smtp && publicUrl ? { mailer: new Mailer({ smtp, publicUrl, limits }), publicUrl } : null;
  return { ...parts, mail, off: mailOff(config) };
}
