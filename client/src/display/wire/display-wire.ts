import { schemas } from "virtual:wall-schemas";
import type { ServerMessageName } from "../../transport/transport.ts";
import type { Wire } from "../../transport/wire.ts";
import { fitsSchema, type Schema } from "./fits-schema.ts";

/** The messages that a display reads; all others are ignored. */
export const displayWire: Wire = {
  names: ["display", "frame", "proven", "goodbye", "notice"],
  readMessage: (name, message) => read(name, message),
  readAnswer: (name, answer) =>
    name === "tiles" ? read("answer to tiles", answer) : (answer as never),
};

function read(name: ServerMessageName | "answer to tiles", value: unknown): never | null {
  const schema = (schemas as Record<string, Schema>)[name];
  return schema && fitsSchema(schema, value) ? (value as never) : null;
}
