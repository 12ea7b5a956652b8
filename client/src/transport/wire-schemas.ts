import { z } from "zod";
import {
  changesSchema,
  headsSchema,
  pageSchema,
  subscribeAnswerSchema,
} from "../../../shared/protocol/feed.ts";
import { frameSchema, provenSchema, tilesAnswerSchema } from "../../../shared/protocol/frame.ts";
import { mutateAnswerSchema } from "../../../shared/protocol/mutate.ts";
import { presenceMessageSchema } from "../../../shared/protocol/presence.ts";
import {
  displayProgramSchema,
  goodbyeSchema,
  modelMessageSchema,
  noticeSchema,
  resyncSchema,
} from "../../../shared/protocol/signals.ts";
import type { CallName, Calls, ServerMessageName, ServerMessages } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** How each message of the server must look; past the transport nothing is `unknown`. */
export const messageSchemas: { [K in ServerMessageName]: z.ZodType<ServerMessages[K]> } = {
  changes: changesSchema,
  heads: headsSchema,
  resync: resyncSchema,
  presence: presenceMessageSchema,
  model: modelMessageSchema,
  notice: noticeSchema,
  frame: frameSchema,
  proven: provenSchema,
  goodbye: goodbyeSchema,
  display: displayProgramSchema,
};

/** How the answer to each call must look, beside `ok: true`. */
export const answerSchemas: { [K in CallName]: z.ZodType<Calls[K]["answer"]> } = {
  subscribe: subscribeAnswerSchema,
  unsubscribe: z.looseObject({}),
  query: pageSchema,
  mutate: mutateAnswerSchema,
  presence: z.looseObject({}),
  tiles: tilesAnswerSchema,
  leaveTiles: z.looseObject({}),
};

/** The whole wire, as the console reads it. */
export const fullWire: Wire = {
  names: Object.keys(messageSchemas) as ServerMessageName[],
  readMessage: (name, message) => messageSchemas[name].safeParse(message).data ?? null,
  readAnswer: (name, answer) => answerSchemas[name].safeParse(answer).data ?? null,
};
