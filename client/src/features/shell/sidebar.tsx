import { ActionIcon, Box, Group, Tooltip } from "@mantine/core";
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconPlus,
} from "@tabler/icons-react";
import { type ComponentProps, memo, type ReactNode, useId } from "react";
import { Link, useLocation } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import {
  countTileId,
  TABLES_WALLBOARD,
} from "../../../../shared/model/wallboard/tables-wallboard.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import type { Abilities } from "../../../../shared/policy/abilities.ts";
import type { TileFrame } from "../../../../shared/protocol/frame.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { openSheet } from "../../state/open-sheet.ts";
import { setSidebarCollapsed } from "../../state/preferences.ts";
import { useAbilities, useMe, useModel } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { wallboardAtom } from "../../state/wallboard-state.ts";
import { useFreshness } from "../../tiles/use-freshness.ts";
import { isWithin } from "../../ui/address-router.tsx";
import { ButtonTooltip } from "../../ui/button-tooltip.tsx";
import { Mark } from "../../ui/mark.tsx";
import { formatCompact } from "../../ui/numbers.ts";
import { PRODUCT_NAME } from "../../ui/product-name.ts";
import { TableIcon } from "../../ui/table-icon.tsx";
import { administrationLinks, readableTables, type ScreenLink, screens } from "./navigation.ts";
import classes from "./sidebar.module.css";

interface Props {
  collapsed: boolean;
  /** Called when a link is followed, so that a drawer can close. */
  onLeave?: () => void;
}

/** Links to the tables that the user may read, and to the screens of the administration. */
export function Sidebar({ collapsed, onLeave }: Props) {
  const model = useModel();
  const abilities = useAbilities();
  const { tiles: counts, proof } = useAtom(wallboardAtom(TABLES_WALLBOARD, false));
  const isLost = useFreshness(proof) === "lost";
  const tables = readableTables(model, abilities);
  const mayAdd = abilities.rights.includes("model");
  const addTable = () => {
    onLeave?.();
    openSheet({ kind: "table" });
  };
  const administration = administrationLinks(abilities, useMe().role);
  const link = { collapsed, onLeave };
  const screenLink = ({ href, label, Icon }: ScreenLink) => (
    <SidebarLink
      {...link}
      key={href}
      href={href}
      label={label()}
      icon={<Icon size={18} stroke={1.6} />}
    />
  );
  return (
    <nav
      className={classes.nav}
      data-collapsed={collapsed || undefined}
      aria-label={messages.mainNavigation()}
    >
      <Group h="calc(var(--wf-topbar-height) + 8px)" p="8px 16px 0">
        <Link href="/" className={classes.brand} aria-label={messages.homeLink()}>
          <Mark size={24} />
          {!collapsed && <span>{PRODUCT_NAME}</span>}
        </Link>
      </Group>
      <Box flex={1} mih={0} p={8} style={{ overflow: "auto" }}>
        <ul>{screens.map(screenLink)}</ul>
        {(tables.length > 0 || mayAdd) && (
          <Section title={messages.tables()} collapsed={collapsed} onAdd={mayAdd && addTable}>
            {tables.map((table) => (
              <TableLink
                {...link}
                key={table.name}
                table={table.name}
                label={table.label}
                count={countText(table, abilities, counts[countTileId(table.name)])}
                isOld={isLost}
              />
            ))}
          </Section>
        )}
        {administration.length > 0 && (
          <Section title={messages.administration()} collapsed={collapsed}>
            {administration.map(screenLink)}
          </Section>
        )}
      </Box>
      {!onLeave && <CollapseButton collapsed={collapsed} />}
    </nav>
  );
}

type TableLinkProps = Omit<ComponentProps<typeof SidebarLink>, "href" | "icon"> & { table: string };

/** Rendered only when what it shows changes, not with each count of another table and each publication. */
const TableLink = memo(({ table, ...link }: TableLinkProps) => (
  <SidebarLink {...link} href={tableAddress(table)} icon={<TableIcon table={table} />} />
));

interface SectionProps {
  title: string;
  collapsed: boolean;
  onAdd?: false | (() => void);
  children: ReactNode;
}

function Section(props: SectionProps) {
  const id = useId();
  return (
    <div className={classes.section}>
      <h2 id={id} className={props.collapsed ? "wf-visually-hidden" : classes.title}>
        {props.title}
      </h2>
      {props.onAdd && !props.collapsed && (
        <ActionIcon
          className={classes.add ?? ""}
          size={24}
          aria-label={messages.addTable()}
          onClick={props.onAdd}
        >
          <IconPlus size={16} stroke={1.6} />
        </ActionIcon>
      )}
      {props.collapsed && <Box h={1} my={12} mx={8} bg="var(--wf-line-strong)" />}
      <ul aria-labelledby={id}>{props.children}</ul>
    </div>
  );
}

function CollapseButton({ collapsed }: { collapsed: boolean }) {
  const label = collapsed ? messages.expandSidebar() : messages.collapseSidebar();
  const Shape = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <Box pt={8} pb={12} px={12}>
      <ButtonTooltip label={`${label}  [`} position="right">
        <ActionIcon aria-label={label} onClick={() => setSidebarCollapsed(!collapsed)}>
          <Shape size={18} stroke={1.6} />
        </ActionIcon>
      </ButtonTooltip>
    </Box>
  );
}

/** "151 open" where the model declares open states, else the number of all records; empty until it is known. */
function countText(table: Table, abilities: Abilities, tile: TileFrame | undefined): string {
  if (typeof tile?.value !== "number") return "";
  const count = formatCompact(tile.value);
  return workOf(table, abilities.tables[table.name]?.fields)
    ? messages.openCount({ count })
    : count;
}

interface SidebarLinkProps {
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
function SidebarLink({ href, label, icon, count, isOld, collapsed, onLeave }: SidebarLinkProps) {
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
