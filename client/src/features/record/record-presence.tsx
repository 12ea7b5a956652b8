import { recordMessages as messages } from "../../messages/en/record.ts";
import { usePresence } from "../../state/use-presence.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./record.module.css";

/** The other users on this record. */
export function RecordPresence({ table, record }: { table: string; record: string }) {
  const presentUsers = usePresence([table]).filter((user) => user.record === record);
  if (presentUsers.length === 0) return null;
  return (
    <span className={classes.here}>
      {presentUsers.map((user) => (
        <span key={user.connection} title={messages.userHere({ user: user.name })}>
          <UserAvatar name={user.name} colour={user.colour} size={26} />
        </span>
      ))}
    </span>
  );
}
