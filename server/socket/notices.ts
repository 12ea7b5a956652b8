import { z } from "zod";
import type { AdministrativeRight } from "../../shared/policy/role.ts";
import type { DisplayNotice, NoticeMessage } from "../../shared/protocol/signals.ts";
import type { Identity } from "../auth/identity.ts";
import type { ViewsChange } from "../store/views/listen-for-views.ts";
import type { WallboardChange } from "../tiles/wallboards/wallboard-cache.ts";

/** Something changed: what is sent, and to whom by their rights of now. */
export interface Notice {
  message: NoticeMessage;
  isFor(connected: Identity): boolean;
}

/** Lists whose changes other servers learn only from the server that publishes them, because Postgres notifies of none. */
const publishedList = z.enum(["displays", "webhooks"]);
export type PublishedList = z.infer<typeof publishedList>;
export const changedListChannel = { name: "changed", schema: publishedList };
export const publishedLists = publishedList.options;

/** Lists whose readers are notified without saying what of them changed. `security`: what security events may be of. */
export type ChangedList = PublishedList | "users" | "security" | "changeSets";

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

/** Sessions, second factors or API tokens of a user changed. */
export function accountNotice(changed: string): Notice {
  const isFor = (connected: Identity) => isUser(connected) && connected.user.id === changed;
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

/** Comments that mention these users may have changed. */
export function mentionsNotice(users: readonly string[]): Notice {
  return {
    message: { kind: "mentions" },
    isFor: ({ user, display }) => !display && users.includes(user.id),
  };
}

/** Views changed, to users who may read them. */
export function viewsNotice(
  { table, owner }: ViewsChange,
  mayRead: (subject: Identity["subject"], table: string) => boolean,
): Notice {
  return {
    message: { kind: "views", ...(table !== undefined && { table }) },
    isFor: ({ user, subject, display }) =>
      !display &&
      (owner === undefined || owner === user.id) &&
      (table === undefined || mayRead(subject, table)),
  };
}

const isUser = ({ display }: Identity) => !display;

function withRight(rights: readonly AdministrativeRight[]) {
  return ({ subject }: Identity) => subject.role.rights.some((right) => rights.includes(right));
}
