import { apiTokenRoutes } from "./api-tokens.ts";
import { changeSetRoutes } from "./change-sets.ts";
import { commentRoutes } from "./comments.ts";
import { describeRoutes } from "./describe.ts";
import { displayRecordRoutes, displayRoutes } from "./displays.ts";
import { factorRoutes, meRoutes } from "./me.ts";
import { modelRoutes } from "./model.ts";
import { recordEditRoutes, recordRoutes } from "./records.ts";
import { roleRoutes, securityEventRoutes } from "./roles.ts";
import { entryRoutes, sessionRoutes } from "./session.ts";
import { systemRoutes } from "./system.ts";
import { tableRoutes } from "./tables.ts";
import type { AnswerOf } from "./types.ts";
import { userAccessRoutes, userRoutes } from "./users.ts";
import { viewRoutes } from "./views.ts";
import { wallboardRoutes } from "./wallboards.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Every route below `/api/v1`, in the order of the documentation. */
export const contract = {
  ...sessionRoutes,
  ...meRoutes,
  ...factorRoutes,
  ...entryRoutes,
  ...userRoutes,
  ...userAccessRoutes,
  ...roleRoutes,
  ...securityEventRoutes,
  ...apiTokenRoutes,
  ...modelRoutes,
  ...recordRoutes,
  ...recordEditRoutes,
  ...tableRoutes,
  ...changeSetRoutes,
  ...commentRoutes,
  ...viewRoutes,
  ...displayRecordRoutes,
  ...displayRoutes,
  ...wallboardRoutes,
  ...webhookRoutes,
  ...systemRoutes,
  ...describeRoutes,
};

export type Contract = typeof contract;
export type RouteName = keyof Contract;
export type Answer<K extends RouteName> = AnswerOf<Contract[K]>;
