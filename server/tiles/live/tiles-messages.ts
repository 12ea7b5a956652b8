import { z } from "zod";
import {
  frameSchema,
  tilesSchema,
  wallboardPositionSchema,
} from "../../../shared/protocol/frame.ts";
import type { BusChannel } from "../../messaging/bus-channel.ts";

/**
 * What one reader follows, by ids alone. Never a plan, a table or a right: the server that evaluates the
 * wallboard derives them from the database.
 */
const wallboardRequestSchema = z.object({
  reader: z.object({ kind: z.enum(["user", "token", "display"]), id: z.string() }),
  call: tilesSchema,
});
export type WallboardRequest = z.infer<typeof wallboardRequestSchema>;

const remoteRequestSchema = z.object({
  /** The key of the plan that the sender derived. */
  scene: z.string(),
  request: wallboardRequestSchema,
});
export type RemoteRequest = z.infer<typeof remoteRequestSchema>;

const proofSchema = z.object({
  position: wallboardPositionSchema,
  /** Everything that was committed up to then is in the values; by the prover's clock. */
  asOf: z.iso.datetime(),
  /** The proven values (engine/hash-tile-values.ts): a server with others has lost a frame. */
  figures: z.string(),
});
export type Proof = z.infer<typeof proofSchema>;

const tilesMessageSchema = z.discriminatedUnion("kind", [
  /** Screens of the sender show these; `again`: but not what was proven of them. */
  z.object({
    kind: z.literal("want"),
    wants: z.array(remoteRequestSchema),
    again: z.boolean().optional(),
  }),
  /** The sender evaluates the tiles from now on, and asks for requests. */
  z.object({ kind: z.literal("ask") }),
  z.object({ kind: z.literal("frame"), scene: z.string(), frame: frameSchema }),
  z.object({ kind: z.literal("proven"), proofs: z.record(z.string(), proofSchema) }),
]);
export type TilesMessage = z.infer<typeof tilesMessageSchema>;

export const TILES_CHANNEL: BusChannel<TilesMessage> = {
  name: "tiles",
  schema: tilesMessageSchema,
};
