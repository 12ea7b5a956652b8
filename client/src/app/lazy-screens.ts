import { lazy } from "react";

/**
 * Screens whose code arrives when they are first opened: the first load stays small, and the grid,
 * which is heavy, never delays it. Once the page is idle they are fetched ahead, so that the first
 * table opens at once and a screen can also be opened while the line is cut.
 */
const loaders = {
  table: () => import("../features/grid/table-screen.tsx"),
  board: () => import("../features/board/board-screen.tsx"),
  record: () => import("../features/record/record-panel.tsx"),
  security: () => import("../features/security/security-screen.tsx"),
  displays: () => import("../features/displays/displays-screen.tsx"),
  people: () => import("../features/people/people-screen.tsx"),
  roles: () => import("../features/roles/roles-screen.tsx"),
  wallboards: () => import("../features/wallboards/wallboards-screen.tsx"),
  wallboard: () => import("../features/wallboards/wallboard-screen.tsx"),
  me: () => import("../features/me/me-screen.tsx"),
  sessionEnded: () => import("../features/login/session-ended-sheet.tsx"),
};

/** What few people ever open is not fetched ahead. */
const model = () => import("../features/model/model-screen.tsx");

export const TableScreen = lazy(() => loaders.table().then((m) => ({ default: m.TableScreen })));
export const BoardScreen = lazy(() => loaders.board().then((m) => ({ default: m.BoardScreen })));
export const RecordPanel = lazy(() => loaders.record().then((m) => ({ default: m.RecordPanel })));
export const SecurityScreen = lazy(() =>
  loaders.security().then((m) => ({ default: m.SecurityScreen })),
);
export const DisplaysScreen = lazy(() =>
  loaders.displays().then((m) => ({ default: m.DisplaysScreen })),
);
export const PeopleScreen = lazy(() => loaders.people().then((m) => ({ default: m.PeopleScreen })));
export const RolesScreen = lazy(() => loaders.roles().then((m) => ({ default: m.RolesScreen })));
export const WallboardScreen = lazy(() =>
  loaders.wallboard().then((m) => ({ default: m.WallboardScreen })),
);
export const WallboardsScreen = lazy(() =>
  loaders.wallboards().then((m) => ({ default: m.WallboardsScreen })),
);
export const SessionEndedSheet = lazy(() =>
  loaders.sessionEnded().then((m) => ({ default: m.SessionEndedSheet })),
);
export const ModelScreen = lazy(() => model().then((m) => ({ default: m.ModelScreen })));
export const MeScreen = lazy(() => loaders.me().then((m) => ({ default: m.MeScreen })));

/** The first screen draws and connects before anything is fetched ahead. */
const SETTLE_MS = 1_500;

/** Fetches the other screens ahead; a failure is met when the screen is opened. Cancelled by the answer. */
export function fetchAhead(): () => void {
  const timer = setTimeout(() => {
    for (const load of Object.values(loaders)) load().catch(() => {});
  }, SETTLE_MS);
  return () => clearTimeout(timer);
}
