import { z } from "zod";
import { factorRoutes, meRoutes } from "./account.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { changeSetRoutes } from "./change-sets.ts";
import { commentRoutes } from "./comments.ts";
import { displayRecordRoutes, displayRoutes } from "./displays.ts";
import { identityProviderRoutes, providerSignInRoutes } from "./identity-providers.ts";
import { inboxRoutes } from "./inbox.ts";
import { modelRoutes } from "./model.ts";
import { recordEditRoutes, recordRoutes } from "./records.ts";
import { roleRoutes } from "./roles.ts";
import { type AnswerOf, defineRoutes } from "./route.ts";
import { securityEventRoutes } from "./security-events.ts";
import { entryRoutes, sessionRoutes } from "./session.ts";
import { systemRoutes } from "./system.ts";
import { tableRoutes } from "./tables.ts";
import { userAccessRoutes, userRoutes } from "./users.ts";
import { viewRoutes } from "./views.ts";
import { wallboardRoutes } from "./wallboards.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The description of the API itself. */
const describeRoutes = defineRoutes(() => ({
  "GET /openapi.json": {
    summary:
      "The description of the API, OpenAPI 3.1. A caller who is signed in gets the tables that they can read too, with their fields, options and transitions.",
    right: "none",
    tokens: true,
    answer: z.looseObject({ openapi: z.string() }),
  },
}));

/** Every route below `/api/v1`, in the order of the documentation. */
export const contract = {
  ...sessionRoutes,
  ...meRoutes,
  ...factorRoutes,
  ...entryRoutes,
  ...providerSignInRoutes,
  ...identityProviderRoutes,
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
  ...inboxRoutes,
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
