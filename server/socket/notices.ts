import { z } from "zod";
import type { AdministrativeRight } from "../../shared/policy/role.ts";
import type { DisplayNotice, NoticeMessage } from "../../shared/protocol/signals.ts";
import type { Identity } from "../auth/identity.ts";
import type { ViewsChange } from "../store/views/listen-for-views.ts";
import type { BoardChange } from "../tiles/boards/boards.ts";

/** Something changed: what is sent, and to whom by their rights of now. */
export interface Notice {
  message: NoticeMessage;
  isFor(connected: Identity): boolean;
}

/** Lists whose readers are notified without saying what of them changed. Many changes at once are one notice. */
const changedList = z.enum(["people", "displays", "webhooks"]);
export type ChangedList = z.infer<typeof changedList>;

/** A list that was changed by the server that publishes it. */
export const changedListChannel = { name: "changed", schema: changedList };

const readersOf: Record<ChangedList, readonly AdministrativeRight[]> = {
  people: ["users", "roles", "tokens", "activity"],
  displays: ["displays"],
  webhooks: ["webhooks"],
};

/** Whoever manages what the list is of, or reads security events. */
export function listNotice(kind: ChangedList): Notice {
  return { message: { kind }, isFor: withRight(readersOf[kind]) };
}

/** A display went offline or came back. */
export function displayNotice(display: DisplayNotice["display"]): Notice {
  return { message: { kind: "display", display }, isFor: withRight(["displays"]) };
}

/** A board was created, changed, published or removed. */
export function boardNotice(change: BoardChange): Notice {
  return { message: { kind: "wallboard", ...change }, isFor: ({ display }) => !display };
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

function withRight(rights: readonly AdministrativeRight[]) {
  return ({ subject }: Identity) => subject.role.rights.some((right) => rights.includes(right));
}
