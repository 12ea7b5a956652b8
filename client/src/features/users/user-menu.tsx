import { Menu } from "@mantine/core";
import {
  IconKey,
  IconLogout,
  IconMail,
  IconShieldOff,
  IconTags,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from "@tabler/icons-react";
import type { ChangedUser, UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { Hint } from "../../ui/texts.ts";
import { toastProblem } from "../../ui/toast.tsx";
import type { UserChange } from "./user-change.ts";

/** Actions that open a dialog. */
export type UserTask = "attributes" | "link" | "factors" | "sessions" | "disable" | "remove";

interface Props {
  user: UserInfo;
  change: UserChange;
  onTask: (task: UserTask) => void;
}

const icon = { size: 16, stroke: 1.6 } as const;

/** The actions for a user, other than choosing a role. */
export function UserMenu({ user, change, onTask }: Props) {
  const isOff = user.status === "disabled";
  const isInvited = user.status === "invited";
  const enable = () =>
    change({ status: "active" }, enabledText, { status: "disabled" }).catch(toastProblem);
  const task = (name: UserTask) => () => onTask(name);
  return (
    <ActionsMenu label={messages.actionsFor({ name: user.name })} width={250}>
      <Menu.Item leftSection={<IconTags {...icon} />} onClick={task("attributes")}>
        {messages.attributesItem()}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={isInvited ? <IconMail {...icon} /> : <IconKey {...icon} />}
        disabled={isOff}
        onClick={task("link")}
      >
        {isInvited ? messages.newInvitationItem() : messages.resetItem()}
        {isOff && (
          <Hint span display="block" fz="xs">
            {messages.enableFirst()}
          </Hint>
        )}
      </Menu.Item>
      <Menu.Item leftSection={<IconShieldOff {...icon} />} onClick={task("factors")}>
        {messages.removeFactorItem()}
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout {...icon} />} onClick={task("sessions")}>
        {messages.endSessionsItem()}
      </Menu.Item>
      <Menu.Divider />
      {!isInvited && (
        <Menu.Item
          color={isOff ? undefined : "var(--wf-bad)"}
          leftSection={isOff ? <IconUserCheck {...icon} /> : <IconUserOff {...icon} />}
          onClick={isOff ? () => void enable() : task("disable")}
        >
          {isOff ? messages.enable() : messages.disableItem()}
        </Menu.Item>
      )}
      <Menu.Item
        color="var(--wf-bad)"
        leftSection={<IconTrash {...icon} />}
        onClick={task("remove")}
      >
        {isInvited ? messages.revokeItem() : messages.removeItem()}
      </Menu.Item>
    </ActionsMenu>
  );
}

/** Enabling brings back no token and no webhook, which is said where there are any. */
function enabledText({ name, ended = { tokens: 0, webhooks: 0 } }: ChangedUser): string {
  return ended.tokens + ended.webhooks > 0
    ? messages.enabledWithout({ name, ...ended })
    : messages.enabledDone({ name });
}
