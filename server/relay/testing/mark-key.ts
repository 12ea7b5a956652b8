import { createMarkKey } from "../mark-of.ts";

/** The key of marks where a test needs no other. */
export const markKey = createMarkKey(Buffer.from("of this installation"));
