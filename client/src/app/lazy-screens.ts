import { lazyScreen, loadScreenStyles } from "./lazy-screen.tsx";

/**
 * Screens whose code arrives when they are first opened: the first load stays small, and the grid, which is heavy, never
 * delays it. Once the page is idle they are prefetched, so that the first table opens at once and screens can be opened
 * without a connection.
 */
const loaders = {
  table: () => import("../features/grid/table-screen.tsx"),
  board: () => import("../features/board/board-screen.tsx"),
  record: () => import("../features/record/record-panel.tsx"),
  security: () => import("../features/security/security-screen.tsx"),
  displays: () => import("../features/displays/displays-screen.tsx"),
  users: () => import("../features/users/users-screen.tsx"),
  tokens: () => import("../features/tokens/tokens-screen.tsx"),
  roles: () => import("../features/roles/roles-screen.tsx"),
  wallboards: () => import("../features/wallboards/wallboards-screen.tsx"),
  wallboard: () => import("../features/wallboards/wallboard-screen.tsx"),
  activity: () => import("../features/activity/activity-screen.tsx"),
  changes: () => import("../features/changes/changes-screen.tsx"),
  changeSet: () => import("../features/changes/change-set-screen.tsx"),
  inbox: () => import("../features/inbox/inbox-screen.tsx"),
  me: () => import("../features/me/me-screen.tsx"),
  shortcuts: () => import("../features/shell/shortcut-list.tsx"),
  sessionEnded: () => import("../features/login/session-ended-sheet.tsx"),
};

/** Rarely used screens are not prefetched. */
const webhooks = () => import("../features/webhooks/webhooks-screen.tsx");
const signIn = () => import("../features/sign-in/sign-in-screen.tsx");
const importing = () => import("../features/import/import-screen.tsx");
const system = () => import("../features/system/system-screen.tsx");
const model = () => import("../features/model/model-screen.tsx");
const structure = () => import("../features/model/sheet/structure-sheets.tsx");
const firstMinute = () => import("../features/model/sheet/first-minute.tsx");
const userSheet = () => import("../features/users/user-sheet.tsx");
const displaySheet = () => import("../features/displays/display-sheet.tsx");

export const TableScreen = lazyScreen(() => loaders.table().then((m) => m.TableScreen));
export const BoardScreen = lazyScreen(() => loaders.board().then((m) => m.BoardScreen));
export const RecordPanel = lazyScreen(() => loaders.record().then((m) => m.RecordPanel));
export const SecurityScreen = lazyScreen(() => loaders.security().then((m) => m.SecurityScreen));
export const DisplaysScreen = lazyScreen(() => loaders.displays().then((m) => m.DisplaysScreen));
export const UsersScreen = lazyScreen(() => loaders.users().then((m) => m.UsersScreen));
export const TokensScreen = lazyScreen(() => loaders.tokens().then((m) => m.TokensScreen));
export const RolesScreen = lazyScreen(() => loaders.roles().then((m) => m.RolesScreen));
export const WallboardScreen = lazyScreen(() => loaders.wallboard().then((m) => m.WallboardScreen));
export const WallboardsScreen = lazyScreen(() =>
  loaders.wallboards().then((m) => m.WallboardsScreen),
);
export const ActivityScreen = lazyScreen(() => loaders.activity().then((m) => m.ActivityScreen));
export const ChangesScreen = lazyScreen(() => loaders.changes().then((m) => m.ChangesScreen));
export const ChangeSetScreen = lazyScreen(() => loaders.changeSet().then((m) => m.ChangeSetScreen));
export const SessionEndedSheet = lazyScreen(() =>
  loaders.sessionEnded().then((m) => m.SessionEndedSheet),
);
export const ModelScreen = lazyScreen(() => model().then((m) => m.ModelScreen));
export const WebhooksScreen = lazyScreen(() => webhooks().then((m) => m.WebhooksScreen));
export const SignInScreen = lazyScreen(() => signIn().then((m) => m.SignInScreen));
export const SystemScreen = lazyScreen(() => system().then((m) => m.SystemScreen));
export const ImportScreen = lazyScreen(() => importing().then((m) => m.ImportScreen));
export const InboxScreen = lazyScreen(() => loaders.inbox().then((m) => m.InboxScreen));
export const FirstMinute = lazyScreen(() => firstMinute().then((m) => m.FirstMinute));
export const FieldSheet = lazyScreen(() => structure().then((m) => m.FieldSheet));
export const TableSheet = lazyScreen(() => structure().then((m) => m.TableSheet));
export const UserSheet = lazyScreen(() => userSheet().then((m) => m.UserSheet));
export const DisplaySheet = lazyScreen(() => displaySheet().then((m) => m.DisplaySheet));
export const MeScreen = lazyScreen(() => loaders.me().then((m) => m.MeScreen));

/** Lets the first screen render and connect before anything is prefetched. */
const PREFETCH_DELAY_MS = 1_500;

/**
 * Prefetches the other screens, one after the other while the page has nothing to do, unless the user's browser saves data. A failure shows when the screen is opened. Returns a
 * function that cancels it.
 */
export function prefetchScreens(): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  const waiting = [loadScreenStyles, ...Object.values(loaders)];
  let isCancelled = false;
  const next = () => {
    if (isCancelled) return;
    waiting
      .shift()?.()
      .catch(() => {})
      .then(whenIdle);
  };
  const whenIdle = () => void (waiting.length > 0 && onIdle(next));
  const timer = setTimeout(whenIdle, PREFETCH_DELAY_MS);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

/** Safari has no idle callbacks. */
const onIdle = globalThis.requestIdleCallback ?? setTimeout;
