import { defineMessages } from "../define-messages.ts";

/** The state of the installation, under Administration, System. */
export const systemMessages = defineMessages("system", {
  title: "System",
  lead: "Watchfloor {version} with version {model} of the model. Updated every few seconds.",

  copy: "Copy as JSON",
  copied: "State copied.",

  attention: "Needs attention",
  allWell: "Nothing needs attention.",
  noLeader: "No server is the leader. Changes arrive more slowly until one is elected.",
  degraded:
    "Redis is unavailable. Servers receive each other's changes more slowly, and only this server is listed.",
  triggersOff:
    "Triggers of {count, plural, one {a table} other {# tables}} are missing or disabled: changes are not recorded. The command “watchfloor doctor” names them.",
  versionsDiffer: "The servers run different versions. Finish the upgrade.",
  behind: "{table} is {count, plural, one {# change} other {# changes}} behind on a server.",
  diskLow: "The disk for {place} has {free} left. Edits are refused when it is full.",
  connectionsFull: "The database has {used} of {max} connections in use.",
  backupFailed: "The last scheduled backup failed. The server's log says why.",
  backupOverdue: "The last scheduled backup was made {ago}.",
  noBackup:
    "No backups are scheduled. Set WATCHFLOOR_BACKUP_DIR, unless you back up the database yourself.",
  deliveriesFailed:
    "{count, plural, one {# webhook delivery was} other {# webhook deliveries were}} given up.",

  servers: "Servers",
  server: "Server",
  thisServer: "{host} (this one)",
  leader: "Leader",
  follower: "Follower",
  startedAgo: "started {ago}",
  connections: "Connections",
  waiting: "Waiting edits",
  lag: "Changes behind",
  memory: "Memory",
  loopDelay: "Event loop delay",
  milliseconds: "{count} ms",
  disks: "Free disk space",
  noDisk: "Not on this machine",
  dataPlace: "database",
  backupsPlace: "backups",
  diskFree: "{place}: {free} of {total}",

  database: "Database",
  postgres: "Postgres",
  size: "Size",
  ofMax: "{count} of {max}",
  messages: "Between servers",
  messagesAlone: "One server, no Redis",
  messagesLive: "Live",
  messagesDegraded: "Degraded",

  queues: "Queues",
  openDeliveries: "Waiting webhook deliveries",
  failedDeliveries: "Webhook deliveries given up",
  pausedWebhooks: "Paused webhooks",
  applyingChangeSets: "Change sets being applied",

  backup: "Last backup",
  backupState: "State",
  backupOk: "Complete",
  backupBad: "Failed",
  backupNone: "None yet",
  backupOff: "Not scheduled",
  backupMade: "Made",
  backupTook: "Took",
  seconds: "{count} s",

  feeds: "Change log",
  table: "Table",
  head: "Last change",
  retained: "Retained",
  noFeeds: "No tables yet.",
  otherFeeds: "{count, plural, one {# other table} other {# other tables}} that you can't read.",

  slow: "Slow statements",
  slowText: "Statements of at least 100 ms since the servers started, without their values.",
  statement: "Statement",
  calls: "Calls",
  mean: "Mean",
  max: "Longest",
  noSlow: "No statement took 100 ms.",
  hiddenText: "You need the right to change the model to see the text.",

  errors: "Refused requests",
  errorsText: "Requests, calls and connections since the servers started, by error code.",
  code: "Code",
  count: "Count",
  lastAt: "Last",
  noErrors: "Nothing was refused.",
});
