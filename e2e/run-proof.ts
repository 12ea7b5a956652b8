/** `npm run proof`: everything that `npm test` runs, each proof whole instead of in its short form. */
process.env.WATCHFLOOR_PROOF = "1";
await import("./run-tests.ts");
