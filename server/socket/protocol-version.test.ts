import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerSchemas, messageSchemas } from "../../client/src/transport/wire-schemas.ts";
import { querySchema, subscribeSchema, unsubscribeSchema } from "../../shared/protocol/feed.ts";
import { leaveTilesSchema, tilesSchema } from "../../shared/protocol/frame.ts";
import { mutateSchema } from "../../shared/protocol/mutate.ts";
import { presenceCallSchema } from "../../shared/protocol/presence.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";

const wire = {
  messages: messageSchemas,
  answers: answerSchemas,
  calls: {
    subscribe: subscribeSchema,
    unsubscribe: unsubscribeSchema,
    query: querySchema,
    mutate: mutateSchema,
    presence: presenceCallSchema,
    tiles: tilesSchema,
    leaveTiles: leaveTilesSchema,
  },
};

/**
 * The hash of everything that travels on the socket. If this test fails you have changed a message: decide
 * whether a client that was loaded yesterday still understands the server. If so, store the new hash; if not,
 * raise PROTOCOL_VERSION and write the new pair here.
 */
const pinned = { version: 1, hash: "01494b92546d8cdb" };

/** Names and descriptions for the documentation change no message. */
const noMetadata = z.registry<{ id?: string }>();

function hashOfSchemas(): string {
  const hash = createHash("sha256");
  for (const [kind, schemas] of Object.entries(wire)) {
    for (const [name, value] of Object.entries(schemas).sort()) {
      const schema = z.toJSONSchema(value, { unrepresentable: "any", metadata: noMetadata });
      hash.update(JSON.stringify([kind, name, schema]));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

test("P9 no message changes by accident: the schemas are pinned to the protocol version", () => {
  expect({ version: PROTOCOL_VERSION, hash: hashOfSchemas() }).toEqual(pinned);
});
