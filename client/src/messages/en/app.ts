import { defineMessages } from "../define-messages.ts";

/** What is shown instead of a screen: while it loads, when it can't be loaded, and when it fails. */
export const appMessages = defineMessages("app", {
  loading: "Loading",
  reload: "Reload the page",
  tryAgain: "Try again",
  newerVersion: "A newer version is available",
  newerVersionText: "Reload the page to open this screen. Your edits are safe.",
  notLoaded: "This screen could not be loaded",
  notLoadedText: "Check your connection and try again. Your edits are safe.",
  failed: "Something went wrong",
  failedText: "Your edits are safe. Try again, or reload the page.",
  unreachable: "Can't connect to the server",
  unreachableText:
    "Check your connection and try again. Unsent edits are stored in this browser and will be sent when you are back online.",
});
