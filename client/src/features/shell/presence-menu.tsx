import { Popover, UnstyledButton } from "@mantine/core";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { PresenceList } from "../../records/presence-list.tsx";
import { presentUsersOf } from "../../records/present-users.ts";
import { useAccountData } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { CountMark } from "../../ui/count-mark.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./presence-menu.module.css";

const MAX_AVATARS = 3;

/** The other users on the tables that this page follows: avatars, and a list when opened. */
export function PresenceMenu() {
  const { model, session } = useAccountData();
  const presence = usePresence(Object.keys(session.abilities.tables));
  const presentUsers = presentUsersOf(presence, session.user.id);
  if (presentUsers.length === 0) return null;
  const rest = presentUsers.length - MAX_AVATARS;
  return (
    <Popover position="bottom-end" shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.avatars}>
          <span className="wf-visually-hidden">
            {messages.othersOnline({ count: presentUsers.length })}
          </span>
          {presentUsers.slice(0, MAX_AVATARS).map((user) => (
            <UserAvatar key={user.id} name={user.name} colour={user.colour} decorative />
          ))}
          {rest > 0 && (
            <CountMark miw={24} bg="var(--wf-raised)" c="dimmed" lh="24px">
              +{rest}
            </CountMark>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <PresenceList presentUsers={presentUsers} tables={model.tables} />
      </Popover.Dropdown>
    </Popover>
  );
}
