import { config } from "zod";

// Compiled schemas need `eval`, which the content security policy refuses, and reports: do not even try.
config({ jitless: true });
