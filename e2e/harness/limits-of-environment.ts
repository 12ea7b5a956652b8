import { defaultLimits } from "../../shared/limits.ts";
import { testLimits } from "./test-config.ts";

/** Loaded before the server into a process that a test starts. */
Object.assign(defaultLimits, testLimits(process.env));
