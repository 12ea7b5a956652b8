import { databases } from "../provision/databases.ts";
import { converge } from "./converge.ts";

converge("one server with the embedded Postgres", async () => ({ kind: databases[0], nodes: 1 }));
