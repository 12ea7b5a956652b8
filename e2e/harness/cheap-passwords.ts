import { passwordCost } from "../../server/auth/password.ts";

/**
 * Loaded into test workers and the servers that tests start: a password costs 30 ms of a core in production, and tests
 * make and check thousands. Hashes state their cost, so that processes with and without this module accept each other's.
 */
Object.assign(passwordCost, { memory: 32, passes: 1 });
