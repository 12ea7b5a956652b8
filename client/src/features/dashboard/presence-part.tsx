import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { PresenceList } from "../../records/presence-list.tsx";
import { presentUsersOf } from "../../records/present-users.ts";
import { useAccountData } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { Hint } from "../../ui/texts.ts";
import { Part } from "./part.tsx";

/** The other users who are online, and their tables. */
export function PresencePart() {
  const { model, session } = useAccountData();
  const presence = usePresence(model.tables.map((table) => table.name));
  const presentUsers = presentUsersOf(presence, session.user.id);
  return (
    <Part title={messages.onlineNow()}>
      {presentUsers.length === 0 ? (
        <Hint>{messages.nobodyElse()}</Hint>
      ) : (
        <PresenceList presentUsers={presentUsers} tables={model.tables} />
      )}
    </Part>
  );
}
