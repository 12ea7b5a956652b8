import { uiMessages as messages } from "../messages/en/ui.ts";

/** The colour schemes that a user can choose. The labels are getters, because the language is loaded later. */
export const schemes = [
  {
    value: "light",
    get label() {
      return messages.light();
    },
  },
  {
    value: "dark",
    get label() {
      return messages.dark();
    },
  },
  {
    value: "auto",
    get label() {
      return messages.system();
    },
  },
] as const;
