import type { z } from "zod";
import type { Identity } from "../auth/identity.ts";
import type { Connection, VerifiedRights } from "./connection.ts";

/** Who calls, in the turn in which the call begins. */
interface CallContext {
  connection: Connection;
  identity: Identity;
  rights: VerifiedRights;
}

/**
 * One message that clients may send. `run` answers by `answer`, at most once; it may throw refusals.
 * It is the only place behind the schema, so past it everything is typed.
 */
export interface Call<In, Out extends object> {
  schema: z.ZodType<In>;
  /** Whether the person themselves did it, which keeps their session from ending idle. */
  isActivity: boolean;
  /** Displays may send it too; all else is closed to them. */
  isForDisplays?: true;
  run(caller: CallContext, call: In, answer: (out: Out) => void): Promise<void> | void;
}

/** A call as the dispatcher keeps it: what it takes is checked by its own schema. */
export type AnyCall = Call<never, object>;
