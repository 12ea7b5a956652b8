import type { AdministrativeRight } from "../../../shared/policy/role.ts";
import { uiMessages as messages } from "../messages/en/ui.ts";

/** What each administrative right allows, as the end of "You may …". Getters, because the language is loaded later. */
export const rightNames: Readonly<Record<AdministrativeRight, string>> = {
  get users() {
    return messages.rightUsers();
  },
  get roles() {
    return messages.rightRoles();
  },
  get model() {
    return messages.rightModel();
  },
  get sharedViews() {
    return messages.rightSharedViews();
  },
  get wallboards() {
    return messages.rightWallboards();
  },
  get displays() {
    return messages.rightDisplays();
  },
  get tokens() {
    return messages.rightTokens();
  },
  get webhooks() {
    return messages.rightWebhooks();
  },
  get activity() {
    return messages.rightActivity();
  },
  get system() {
    return messages.rightSystem();
  },
};
