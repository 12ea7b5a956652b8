import { systemSchema } from "../protocol/system.ts";
import { defineRoutes } from "./route.ts";

/** The state of the installation. */
export const systemRoutes = defineRoutes({
  "GET /system": {
    tokens: true,
    summary:
      "The state of the installation: servers, feeds, database, queues, slow statements, errors, disks, the last backup.",
    right: "system",
    answer: systemSchema,
  },
});
