import { defineMessages } from "../define-messages.ts";

/** The page of a display. */
export const displayMessages = defineMessages("display", {
  failed: "Something went wrong. Restarting automatically.",
  starting: "Starting…",
  noResponse: "No response from the server for {time}. Trying again automatically.",
  revoked: "This display was revoked",
  pair: "Pair this screen",
  enterCode: "Enter this code in the console under <b>Administration › Displays</b>",
  validFor: "Code changes in {time}",
  codeElsewhere: "Another tab of this browser shows the code.",
  codeElsewhereHint: "Use that one, or reload this page for a new code here.",
  noCode: "No pairing code available. Trying again automatically.",
  cookiesBlocked:
    "This browser blocks cookies for {host}, so it can't be paired. Allow cookies for this site in its settings, then reload the page.",
  noTiles: "This wallboard has no tiles yet. Add some in the console under Wallboards.",
  blocked:
    "The network blocks the live connection, though the server answers. Ask the network administrator to let {address} pass unchanged, with WebSocket upgrades. Trying again automatically.",
  waiting: "Waiting for the server. Reconnecting automatically.",
  noWallboards:
    "None of this display's wallboards can be shown. Choose one in the console under Displays.",
  loading: "Loading wallboard…",
  zone: "Time zone {zone}",
  blockedShort: "{freshness} — the network blocks /socket.io/",
  degraded: "{freshness} — changes may be delayed",
});
