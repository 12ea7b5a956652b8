import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { rest } from "../../transport/rest.ts";

/** The state of the installation. */
export function readSystem(): Promise<SystemInfo> {
  return rest("GET /system");
}
