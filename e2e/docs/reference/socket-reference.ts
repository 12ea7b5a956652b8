import type { z } from "zod";
import { answerSchemas, messageSchemas } from "../../../client/src/transport/wire-schemas.ts";
import { SchemaBook } from "../../../server/http/docs/schema-book.ts";
import { typeText } from "../../../server/http/docs/schema-text.ts";
import { querySchema, subscribeSchema, unsubscribeSchema } from "../../../shared/protocol/feed.ts";
import { leaveTilesSchema, tilesSchema } from "../../../shared/protocol/frame.ts";
import { mutateSchema } from "../../../shared/protocol/mutate.ts";
import { presenceCallSchema } from "../../../shared/protocol/presence.ts";

type CallName = keyof typeof answerSchemas;

export const callSchemas: Record<CallName, z.ZodType> = {
  subscribe: subscribeSchema,
  unsubscribe: unsubscribeSchema,
  query: querySchema,
  mutate: mutateSchema,
  presence: presenceCallSchema,
  tiles: tilesSchema,
  leaveTiles: leaveTilesSchema,
};

/** Every message of the socket as a type, in the notation of TypeScript. */
export function socketReference(): string {
  const book = new SchemaBook();
  const calls = Object.entries(callSchemas).flatMap(([name, schema]) => [
    typeOf(book, `${name}Call`, schema, "input"),
    typeOf(book, `${name}Answer`, answerSchemas[name as CallName], "output"),
  ]);
  const messages = Object.entries(messageSchemas).map(([name, schema]) =>
    typeOf(book, `${name}Message`, schema, "output"),
  );
  const named = Object.entries(book.schemas)
    .filter(([name]) => !/(Call|Answer|Message)$/.test(name))
    .map(([name, schema]) => `type ${name} = ${typeText(schema)};`);
  return [
    ["Client to server: calls and their answers (beside `ok: true`)", calls],
    ["Server to client", messages],
    ["Types that several messages share", named],
  ]
    .map(
      ([title, types]) => `### ${title}\n\n\`\`\`ts\n${(types as string[]).join("\n")}\n\`\`\`\n`,
    )
    .join("\n");
}

function typeOf(book: SchemaBook, name: string, schema: z.ZodType, io: "input" | "output") {
  const reference = book.add(name, schema, io);
  const own = book.schemas[name];
  return `type ${name} = ${typeText(own ?? reference)};`;
}
