import { IconDatabase, IconKey } from "@tabler/icons-react";
import type { Author } from "../../../shared/protocol/record.ts";
import classes from "./author-mark.module.css";
import { UserAvatar } from "./user-avatar.tsx";

/** The author of a change as a small disc: a user's initials, or a sign for a program. Their name is beside it. */
export function AuthorMark({ by, colour }: { by: Author; colour: string | undefined }) {
  if (by.kind === "user") {
    return <UserAvatar name={by.name} colour={colour ?? "gray"} size={24} decorative />;
  }
  const Shape = by.kind === "token" ? IconKey : IconDatabase;
  return (
    <span className={classes.machine} aria-hidden="true">
      <Shape size={14} stroke={1.7} />
    </span>
  );
}
