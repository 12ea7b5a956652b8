import { z } from "zod";
import { mailOffSchema } from "./inbox.ts";
import { defineRoutes } from "./route.ts";
import { deliveryStateSchema, webhookFailureSchema } from "./webhooks.ts";

/** The state of an installation, for users with the right `system`. It contains no values of records. */

const diskSchema = z.object({
  /** `data`: the embedded Postgres; `backups`: the folder of scheduled backups. */
  place: z.enum(["data", "backups"]),
  freeBytes: z.number(),
  totalBytes: z.number(),
});

/** How often requests and calls were refused with a code, since the server started. */
const errorCountSchema = z.object({ code: z.string(), count: z.int(), lastAt: z.string() });
export type ErrorCount = z.infer<typeof errorCountSchema>;

/** Statements of one text, which holds no values: those are parameters, and literals are replaced. */
const slowStatementSchema = z.object({
  text: z.string(),
  calls: z.int(),
  meanMs: z.number(),
  maxMs: z.number(),
});
export type SlowStatement = z.infer<typeof slowStatementSchema>;

/** What each server of an installation says of itself to the others. */
export const nodeStatusSchema = z.object({
  id: z.string().max(64),
  /** The name of its machine and its port, `web-1:3000`: what an operator knows it by. */
  host: z.string().max(300),
  version: z.string().max(64),
  startedAt: z.string().max(40),
  /** This server reads the change log for all servers, delivers webhooks and makes backups. */
  isLeader: z.boolean(),
  /** Open sockets: screens, displays and programs. */
  connections: z.int(),
  /** Edits that wait for their commit. */
  waitingMutations: z.int(),
  memoryBytes: z.number(),
  /** The 99th percentile of the event loop delay in about the last ten seconds. */
  loopDelayMs: z.number(),
  disks: z.array(diskSchema).max(4),
  /** Per table, the changes of the log that this server has not sent out yet. */
  lag: z.record(z.string(), z.int()),
  errors: z.array(errorCountSchema).max(100),
  slow: z.array(slowStatementSchema).max(50),
});
export type NodeStatus = z.infer<typeof nodeStatusSchema>;

/** `GET /system`. */
const systemSchema = z
  .object({
    version: z.string(),
    now: z.string(),
    modelVersion: z.int(),
    nodes: z.array(
      nodeStatusSchema.omit({ lag: true, errors: true, slow: true }).extend({
        /** The server that answers. */
        isThis: z.boolean(),
        /** The changes of all tables that it has not sent out yet. */
        lag: z.int(),
      }),
    ),
    /** `alone`: no Redis is configured; `degraded`: it is unavailable, and servers learn of changes more slowly. */
    messages: z.enum(["alone", "live", "degraded"]),
    /** Without those of tables that the caller may not read. */
    feeds: z.array(
      z.object({
        table: z.string(),
        label: z.string(),
        /** The number of the last change. */
        head: z.int(),
        /** How many changes the log still holds. */
        retained: z.int(),
        /** Of the server that is furthest behind. */
        lag: z.int(),
      }),
    ),
    /** Tables that the caller may not read. */
    otherFeeds: z.int(),
    database: z.object({
      version: z.string(),
      sizeBytes: z.number(),
      connections: z.int(),
      maxConnections: z.int(),
      /** Tables with triggers that are missing or disabled: their changes are not recorded. */
      tablesOff: z.int(),
    }),
    queues: z.object({
      waitingMutations: z.int(),
      /** Webhook deliveries that are due or will be repeated. */
      openDeliveries: z.int(),
      /** Deliveries that were given up. */
      failedDeliveries: z.int(),
      pausedWebhooks: z.int(),
      /** Change sets that are being applied. */
      applyingChangeSets: z.int(),
    }),
    /** The mail of the installation. Recipients are shown by their names. */
    mail: z.object({
      off: mailOffSchema.nullable(),
      /** Mails that are due or will be tried again. */
      open: z.int(),
      givenUp: z.int(),
      lastSentAt: z.string().nullable(),
      /** Of these the newest. */
      recent: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          user: z.string(),
          state: deliveryStateSchema,
          attempts: z.int(),
          /** The answer of the mail server to the last attempt. */
          status: z.int().nullable(),
          error: webhookFailureSchema.nullable(),
          excerpt: z.string().nullable(),
          createdAt: z.string(),
          attemptedAt: z.string().nullable(),
          nextAt: z.string().nullable(),
        }),
      ),
    }),
    /** Null without the right `model`, because the texts name tables and columns. */
    slow: z.array(slowStatementSchema.extend({ text: z.string().nullable() })),
    errors: z.array(errorCountSchema),
    /** Null if the server makes no backups. */
    backup: z
      .object({
        /** Null if there is no backup yet. */
        succeededAt: z.string().nullable(),
        seconds: z.number().nullable(),
        bytes: z.number().nullable(),
        failed: z.boolean(),
        /** Older than two intervals. */
        isOverdue: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: "System" });
export type SystemInfo = z.infer<typeof systemSchema>;

/** The state of the installation. */
export const systemRoutes = defineRoutes(() => ({
  "GET /system": {
    tokens: true,
    summary:
      "The state of the installation: servers, feeds, database, queues, slow statements, errors, disks, the last backup.",
    right: "system",
    answer: systemSchema,
  },
}));
