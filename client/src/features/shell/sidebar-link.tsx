import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { isWithin } from "../../ui/address-router.tsx";
import classes from "./sidebar.module.css";

interface Props {
  href: string;
  label: string;
  icon: ReactNode;
  count?: string;
  /** The count is no longer confirmed by the server. */
  isOld?: boolean;
  collapsed: boolean;
  onLeave?: (() => void) | undefined;
}

/** A link of the sidebar. The current screen and those above it are marked as current. */
export function SidebarLink({ href, label, icon, count, isOld, collapsed, onLeave }: Props) {
  const [path] = useLocation();
  const isCurrent = isWithin(path, href);
  const link = (
    <Link
      href={href}
      className={classes.link}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onLeave}
    >
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={collapsed ? "wf-visually-hidden" : classes.label}>{label}</span>
      {!collapsed && count && (
        <span
          className={classes.count}
          data-old={isOld || undefined}
          title={isOld ? messages.notUpToDate() : undefined}
        >
          {count}
        </span>
      )}
    </Link>
  );
  // Not a disabled tooltip beside the label: it costs more than the link, for each of hundreds of tables.
  return (
    <li>
      {collapsed ? (
        <Tooltip label={label} position="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  );
}
