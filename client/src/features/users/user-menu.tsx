import { ActionIcon, Menu } from "@mantine/core";
import {
  IconDots,
  IconKey,
  IconLogout,
  IconMail,
  IconShieldOff,
  IconTags,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from "@tabler/icons-react";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { endSessionsOf } from "../../sync/calls/users.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import type { UserChange } from "./user-change.ts";
import classes from "./users-table.module.css";

/** What needs more than a click: another screen on top, or a word of confirmation. */
export type UserTask = "attributes" | "link" | "factors" | "remove";

interface Props {
  user: UserInfo;
  change: UserChange;
  onTask: (task: UserTask) => void;
}

const icon = { size: 16, stroke: 1.6 } as const;

/** What can be done with a user, beside another role. */
export function UserMenu({ user, change, onTask }: Props) {
  const isOff = user.status === "disabled";
  const isInvited = user.status === "invited";
  const toggle = () =>
    isOff
      ? change({ status: "active" }, `${user.name} may sign in again.`, { status: "disabled" })
      : change({ status: "disabled" }, `${user.name} is disabled and signed out everywhere.`);
  const task = (name: UserTask) => () => onTask(name);
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${user.name}`}>
          <IconDots size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTags {...icon} />} onClick={task("attributes")}>
          Attributes …
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={isInvited ? <IconMail {...icon} /> : <IconKey {...icon} />}
          disabled={isOff}
          onClick={task("link")}
        >
          {isInvited ? "New invitation link …" : "Reset password link …"}
          {isOff && <span className={classes.why}>Enable them first.</span>}
        </Menu.Item>
        <Menu.Item leftSection={<IconShieldOff {...icon} />} onClick={task("factors")}>
          Remove second factor …
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void endSessions(user)}>
          End all sessions
        </Menu.Item>
        <Menu.Divider />
        {!isInvited && (
          <Menu.Item
            color={isOff ? undefined : "var(--wf-bad)"}
            leftSection={isOff ? <IconUserCheck {...icon} /> : <IconUserOff {...icon} />}
            onClick={() => void toggle()}
          >
            {isOff ? "Enable" : "Disable and sign out"}
          </Menu.Item>
        )}
        <Menu.Item
          color="var(--wf-bad)"
          leftSection={<IconTrash {...icon} />}
          onClick={task("remove")}
        >
          {isInvited ? "Take the invitation back …" : "Remove …"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function endSessions({ id, name }: UserInfo): Promise<void> {
  try {
    const ended = await endSessionsOf(id);
    toast(ended === 0 ? `${name} was not signed in.` : `${name} is signed out everywhere.`);
  } catch (error) {
    toastProblem(error);
  }
}
