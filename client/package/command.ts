#!/usr/bin/env node
import { parseArgs } from "node:util";
import { restWith } from "../src/transport/rest/rest.ts";
import { modelTypes } from "./model-types.ts";

const usage = `watchfloor-client types [--url http://localhost:3000] [--token wf_…]

Writes the types of the tables that the token may read to standard output. The token may be in WATCHFLOOR_TOKEN.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string", default: "http://localhost:3000" },
    token: { type: "string", default: process.env.WATCHFLOOR_TOKEN ?? "" },
    help: { type: "boolean", default: false },
  },
});

// The reader of our output, such as `head`, has ended. Exit with the status that SIGPIPE would give.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === "EPIPE" ? 141 : 1);
});

if (values.help || positionals.join() !== "types") {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const rest = restWith({ url: values.url.replace(/\/+$/, ""), token: values.token });
  await rest("GET /model").then(
    (model) => process.stdout.write(modelTypes(model)),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    },
  );
}
