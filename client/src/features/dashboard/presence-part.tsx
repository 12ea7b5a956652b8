import { useAccountData } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { PresenceList } from "../../ui/presence-list.tsx";
import { presentUsersOf } from "../../ui/present-users.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** Who else is here now, and where. */
export function PresencePart() {
  const { model, session } = useAccountData();
  const presence = usePresence(model.tables.map((table) => table.name));
  const presentUsers = presentUsersOf(presence, session.user.id);
  return (
    <Part title="Who is here">
      {presentUsers.length === 0 ? (
        <p className={classes.text}>Just you for now. Others appear here when they sign in.</p>
      ) : (
        <PresenceList presentUsers={presentUsers} tables={model.tables} />
      )}
    </Part>
  );
}
