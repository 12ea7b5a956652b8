import { Stack, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { Table } from "../../../shared/model/model.ts";
import { tableAddress } from "../../../shared/record-address.ts";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { TitledPopover } from "../ui/titled-popover.tsx";
import { UserAvatar } from "../ui/user-avatar.tsx";
import classes from "./presence-list.module.css";
import type { PresentUser } from "./present-users.ts";
import { recordAddressFrom } from "./record-address.ts";
import { trailState } from "./record-trail.ts";

interface Props {
  presentUsers: readonly PresentUser[];
  /** The tables of the model, for their labels. */
  tables: readonly Table[];
}

/** A button that says how many are online, and lists them. */
export function PresencePopover({ className, children, ...list }: PopoverProps) {
  const [opened, setOpened] = useState(false);
  return (
    <TitledPopover
      opened={opened}
      onOpened={setOpened}
      position="bottom-end"
      title={messages.onlineUsers()}
      target={
        <UnstyledButton className={className ?? ""} onClick={() => setOpened(!opened)}>
          {children}
        </UnstyledButton>
      }
    >
      <PresenceList {...list} />
    </TitledPopover>
  );
}

interface PopoverProps extends Props {
  className: string | undefined;
  /** What the button shows. */
  children: ReactNode;
}

/** The online users, with links to their tables or records. */
function PresenceList({ presentUsers, tables }: Props) {
  // Its links lead on from where the page is.
  useLocation();
  useSearch();
  const labelOf = (name: string) => tables.find((table) => table.name === name)?.label ?? name;
  const trail = trailState(
    presentUsers.flatMap(({ table, record }) => (record ? { table, record } : [])),
  );
  return (
    <Stack component="ul" gap={2} mx={-6} aria-label={messages.onlineUsers()}>
      {presentUsers.map((user) => (
        <li key={user.id}>
          <Link
            className={classes.user}
            href={addressOf(user)}
            state={user.record ? trail : undefined}
          >
            <UserAvatar name={user.name} colour={user.colour} size={26} decorative />
            <span className={classes.label}>
              {user.name}
              <span>
                {user.mode === "editing"
                  ? messages.editingTable({ table: labelOf(user.table) })
                  : messages.viewingTable({ table: labelOf(user.table) })}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </Stack>
  );
}

function addressOf({ table, record }: PresentUser): string {
  return record ? recordAddressFrom(location, table, record) : tableAddress(table);
}
