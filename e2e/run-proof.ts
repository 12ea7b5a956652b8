/** `npm run proof`: everything that `npm test` runs, with every randomised test in its long form. */
process.env.WATCHFLOOR_PROOF = "1";
await import("./run-tests.ts");
