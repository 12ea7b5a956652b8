import type { AdministrativeRight } from "../../../shared/policy/role.ts";

/** What each administrative right lets a person do, as the end of "You may …". */
export const rightNames: Record<AdministrativeRight, string> = {
  users: "manage people",
  roles: "manage roles",
  model: "change the model",
  sharedViews: "change shared views",
  wallboards: "manage wallboards",
  displays: "manage displays",
  tokens: "manage API tokens",
  webhooks: "manage webhooks",
  activity: "see everybody's activity",
  system: "see the system's state",
};
