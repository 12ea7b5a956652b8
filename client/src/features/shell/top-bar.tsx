import { ActionIcon, Box, Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import {
  IconAlertTriangle,
  IconChevronRight,
  IconCloudOff,
  IconDeviceDesktop,
  IconKeyboard,
  IconLoader2,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconPointFilled,
  IconSearch,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { recordAt } from "../../../../shared/record-address.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { LABEL_WAITING } from "../../records/fields/label-waiting.ts";
import { PresencePopover } from "../../records/presence-list.tsx";
import { presentUsersOf } from "../../records/present-users.ts";
import { barNameAtom } from "../../state/bar-name.ts";
import { store } from "../../state/store.ts";
import { useAccountData, useMe, useModel } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { useRecordTitle } from "../../state/use-record-title.ts";
import { useScreenTitle } from "../../state/use-screen-title.ts";
import { useWallboardName } from "../../state/use-wallboard-name.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import { announce } from "../../ui/announce.ts";
import { ButtonTooltip } from "../../ui/button-tooltip.tsx";
import { CountMark } from "../../ui/count-mark.ts";
import { initialsOf } from "../../ui/initials.ts";
import { MOD_KEY } from "../../ui/mod-key.ts";
import { schemes } from "../../ui/schemes.ts";
import { TitledPopover } from "../../ui/titled-popover.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import breadcrumbStyles from "./breadcrumb.module.css";
import { connectionView } from "./connection-view.ts";
import { InboxButton } from "./inbox-button.tsx";
import meMenuStyles from "./me-menu.module.css";
import pillStyles from "./pill.module.css";
import presenceMenuStyles from "./presence-menu.module.css";
import { ReviewMenu } from "./review-menu.tsx";
import { openShortcuts } from "./shortcuts-sheet.tsx";
import classes from "./top-bar.module.css";
import { breadcrumbSteps } from "./trail.ts";
import { useConnectionFacts } from "./use-connection-facts.ts";

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

/** Breadcrumb, search, connection status, other users, theme and account. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className={classes.bar}>
      <ActionIcon className={classes.menu} aria-label={messages.openNavigation()} onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.6} />
      </ActionIcon>
      <Breadcrumb />
      <UnstyledButton
        className={classes.search}
        onClick={spotlight.open}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={15} stroke={1.8} aria-hidden="true" />
        <span className={classes.label}>{messages.searchPlaceholder()}</span>
        <span className={classes.key} aria-hidden="true">
          {MOD_KEY} K
        </span>
      </UnstyledButton>
      <div className={classes.end}>
        <ReviewMenu />
        <ConnectionPill />
        <PresenceMenu />
        <InboxButton />
        <ButtonTooltip label={messages.themeHint()}>
          <div className={classes.theme}>
            <ThemeMenu />
          </div>
        </ButtonTooltip>
        <MeMenu />
      </div>
    </header>
  );
}

/** Chooses the light, dark or system theme. */
function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Shape = icons[colorScheme];
  const current = schemes.find(({ value }) => value === colorScheme)?.label;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={messages.theme({ theme: current ?? "" })}>
          <Shape size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const MAX_AVATARS = 3;

/** The other users on the tables that this page follows: avatars, and a list when opened. */
function PresenceMenu() {
  const { model, session } = useAccountData();
  const presence = usePresence(Object.keys(session.abilities.tables));
  const presentUsers = presentUsersOf(presence, session.user.id);
  if (presentUsers.length === 0) return null;
  const rest = presentUsers.length - MAX_AVATARS;
  return (
    <PresencePopover
      presentUsers={presentUsers}
      tables={model.tables}
      className={presenceMenuStyles.avatars}
    >
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
    </PresencePopover>
  );
}

/** The user's name, role and personal settings, and the way to sign out. */
function MeMenu() {
  const me = useMe();
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <UnstyledButton
          className={meMenuStyles.me}
          aria-label={messages.userMenu({ initials: initialsOf(me.name), name: me.name })}
        >
          <UserAvatar name={me.name} colour={me.colour} size={26} decorative />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={meMenuStyles.who}>
          <strong>{me.name}</strong>
          <span>{me.email}</span>
          <span>{me.roleName}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href="/me" leftSection={<IconUserCircle size={16} />}>
          {messages.profileAndPreferences()}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openShortcuts}>
          {messages.keyboardShortcuts()}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={requestSignOut}>
          {messages.signOut()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The path to the current screen, which is the last step. */
function Breadcrumb() {
  const [path] = useLocation();
  const model = useModel();
  const [, where] = useRoute("/t/:table/:record");
  const table = model.tables.find(({ name }) => name === where?.table);
  const record = useRecordTitle(table, where ? recordAt(where.record) : undefined);
  const [, wall] = useRoute("/wallboards/:wallboard");
  const wallboard = useWallboardName(wall?.wallboard ?? "");
  const named = useScreenTitle(path);
  const title = wall ? wallboard : (record ?? named);
  const trail = breadcrumbSteps(path, model, title);
  const barName = title === null ? (trail.at(-1)?.label ?? null) : null;
  // Before it is drawn: the page below shows the same name nowhere else.
  useLayoutEffect(() => store.set(barNameAtom, barName), [barName]);
  return (
    <Box component="nav" aria-label={messages.breadcrumb()} miw={0}>
      <ol className={breadcrumbStyles.list}>
        {trail.map((step, at) => (
          <li
            key={step.label}
            className={breadcrumbStyles.step}
            data-last={at === trail.length - 1 || undefined}
            data-always={step.isAlwaysShown}
          >
            {at > 0 && <IconChevronRight size={14} stroke={1.6} aria-hidden="true" />}
            {step.href && at < trail.length - 1 ? (
              <Link href={step.href}>{step.label}</Link>
            ) : (
              <span
                dir="auto"
                className={step.label === LABEL_WAITING ? "wf-waiting" : undefined}
                aria-current={at === trail.length - 1 ? "page" : undefined}
              >
                {step.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Box>
  );
}

const connectionPillIcons = {
  good: IconPointFilled,
  busy: IconLoader2,
  warn: IconAlertTriangle,
  bad: IconCloudOff,
} as const;

/** The connection status as a label and an icon, never by colour alone. It opens an explanation, also where nothing hovers. */
function ConnectionPill() {
  const { label, tone, detail } = connectionView(useConnectionFacts());
  const [opened, setOpened] = useState(false);
  const Shape = connectionPillIcons[tone];
  // What is in a button is no live region of its own. The first state is that of a page that has just opened.
  const announced = useRef(label);
  useEffect(() => {
    if (announced.current !== label) announce(label);
    announced.current = label;
  }, [label]);
  return (
    <TitledPopover
      opened={opened}
      onOpened={setOpened}
      position="bottom-end"
      title={label}
      target={
        <button
          type="button"
          className={pillStyles.pill}
          data-tone={tone}
          data-testid="connection"
          title={detail}
          onClick={() => setOpened(!opened)}
        >
          <Shape size={14} stroke={2} aria-hidden="true" className={pillStyles.icon} />
          <span className={pillStyles.word}>{label}</span>
        </button>
      }
    >
      {detail}
    </TitledPopover>
  );
}
