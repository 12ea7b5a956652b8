import type { z } from "zod";
import type { Identity } from "../auth/identity.ts";
import type { Connection, VerifiedRights } from "./connection.ts";

/** The caller, in the turn in which the call begins. */
export interface CallContext {
  connection: Connection;
  identity: Identity;
  rights: VerifiedRights;
}

/**
 * One message that clients may send. `run` answers by `answer`, at most once; it may throw refusals. The
 * schema has parsed the message, so everything behind it is typed.
 */
export interface Call<In, Out extends object> {
  schema: z.ZodType<In>;
  /**
   * Whether it is an action of the user, which prevents the idle end of their session. Reads are none: an open page follows
   * tables and reads them again by itself. REST calls count for users who only read.
   */
  isActivity: boolean;
  /** Displays may send it too; no other call is open to them. */
  isForDisplays?: true;
  run(caller: CallContext, call: In, answer: (out: Out) => void): Promise<void> | void;
}

/** A call in the dispatcher: its own schema checks its input. */
export type AnyCall = Call<never, object>;
