/** The screens of the service desk, by the name of their pictures. */
export const screens: Record<string, string> = {
  dashboard: "/",
  table: "/t/incidents",
  groups: "/t/incidents?by=priority",
  "groups-and-record": "/t/incidents/seed-2?by=state",
  record: "/t/incidents/seed-2",
  comments: "/t/incidents/seed-2#comments",
  history: "/t/incidents/seed-2#history",
  board: "/t/incidents/board",
  "board-by-priority": "/t/incidents/board?group=priority",
  import: "/import/incidents",
  wallboards: "/wallboards",
  activity: "/activity",
  "recently-deleted": "/activity?show=deleted&table=incidents",
  changes: "/changes",
  users: "/admin/users",
  roles: "/admin/roles/editor",
  displays: "/admin/displays",
  tokens: "/admin/tokens",
  webhooks: "/admin/webhooks",
  security: "/admin/security",
  model: "/admin/model",
  fields: "/admin/model/t/incidents/fields",
  "model-versions": "/admin/model/versions",
  system: "/admin/system",
  workflow: "/admin/model/t/incidents/workflow",
  me: "/me",
  "not-found": "/no-such-screen",
  "no-table": "/t/no-such-table",
};

/** A screen that needs a right, for a user who lacks it. */
export const forbiddenPath = "/admin/users";
