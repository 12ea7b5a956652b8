import { embeddedDatabase } from "../provision/databases.ts";
import { converge } from "./converge.ts";

converge("one server with the embedded Postgres", async () => ({
  kind: embeddedDatabase,
  nodes: 1,
}));
