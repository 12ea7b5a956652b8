import { z } from "zod";
import type { AdministrativeRight } from "../../shared/policy/role.ts";
import type { DisplayNotice, NoticeMessage } from "../../shared/protocol/signals.ts";
import type { Identity } from "../auth/identity.ts";
import type { WallboardChange } from "../tiles/wallboards/wallboard-cache.ts";

/** Something changed: what is sent, and to whom by their rights of now. */
export interface Notice {
  message: NoticeMessage;
  isFor(connected: Identity): boolean;
}

/** Lists whose readers are notified without saying what of them changed. `security`: what security events may be of. */
export type ChangedList = "displays" | "webhooks" | "users" | "security" | "changeSets";

interface ListNotice {
  kind: "people" | "displays" | "webhooks" | "changeSets";
  /** Who is notified: users with one of these rights, or all. */
  readers: readonly AdministrativeRight[] | "all";
  /** Changes within this time are one notice. */
  delayMs: number;
}

const lists: Record<ChangedList, ListNotice> = {
  users: { kind: "people", readers: "all", delayMs: 100 },
  security: { kind: "people", readers: ["users", "roles", "tokens", "activity"], delayMs: 100 },
  // Displays report, and webhooks deliver, all the time.
  displays: { kind: "displays", readers: ["displays", "wallboards"], delayMs: 1_000 },
  webhooks: { kind: "webhooks", readers: ["webhooks"], delayMs: 1_000 },
  changeSets: { kind: "changeSets", readers: "all", delayMs: 1_000 },
};

/** Something of a list changed; and how long further changes are awaited. */
export function listNotice(list: ChangedList): Notice & { delayMs: number } {
  const { kind, readers, delayMs } = lists[list];
  const isFor = readers === "all" ? isUser : withRight(readers);
  return { message: { kind }, isFor, delayMs };
}

/** Sessions, second factors or API tokens of a user, null: of any, changed. */
export function accountNotice(changed: string | null): Notice {
  const isFor = (connected: Identity) =>
    isUser(connected) && (changed === null || connected.user.id === changed);
  return { message: { kind: "account" }, isFor };
}

/** A display went offline or came back. */
export function displayNotice(display: DisplayNotice["display"]): Notice {
  return { message: { kind: "display", display }, isFor: withRight(["displays"]) };
}

/** A wallboard was created, changed, published or removed. */
export function wallboardNotice(change: WallboardChange): Notice {
  return { message: { kind: "wallboard", ...change }, isFor: isUser };
}

/** Comments that mention this user may have changed; null: those that mention anybody. */
export function mentionsNotice(mentioned: string | null): Notice {
  return {
    message: { kind: "mentions" },
    isFor: ({ user, display }) => !display && (mentioned === null || user.id === mentioned),
  };
}

/** What this user is notified of has changed; null: that of anybody. */
export function inboxNotice(changed: string | null): Notice {
  return {
    message: { kind: "inbox" },
    isFor: ({ user, display }) => !display && (changed === null || user.id === changed),
  };
}

const viewsSchema = z.object({ table: z.string(), owner: z.string().nullable() });

/**
 * Views changed, to users who may read them. `changed` is the JSON of the topic `views`: of which table, and of which owner unless they are
 * shared. Any views if it is null or can't be read: anybody who may connect to the database may notify.
 */
export function viewsNotice(
  changed: string | null,
  mayRead: (subject: Identity["subject"], table: string) => boolean,
): Notice {
  const { table, owner = null } = parseViews(changed) ?? {};
  return {
    message: { kind: "views", ...(table !== undefined && { table }) },
    isFor: ({ user, subject, display }) =>
      !display &&
      (owner === null || owner === user.id) &&
      (table === undefined || mayRead(subject, table)),
  };
}

function parseViews(changed: string | null): z.infer<typeof viewsSchema> | null {
  try {
    return viewsSchema.parse(JSON.parse(changed ?? ""));
  } catch {
    return null;
  }
}

const isUser = ({ display }: Identity) => !display;

function withRight(rights: readonly AdministrativeRight[]) {
  return ({ subject }: Identity) => subject.role.rights.some((right) => rights.includes(right));
}
