/** The entry point of `@watchfloor/client`. */

// biome-ignore-start lint/performance/noBarrelFile: the only file that users of the package import.
export type { Filter, Json } from "../../shared/filter/filter.ts";
export type { ErrorCode } from "../../shared/protocol/errors.ts";
export { Refusal as WatchfloorError } from "../../shared/protocol/errors.ts";
export type { TileFrame } from "../../shared/protocol/frame.ts";
export type { ConnectionKind } from "../src/state/connection-state.ts";
export type { WallboardView } from "../src/state/wallboard-state.ts";
export { type ConnectOptions, connect, type Watchfloor } from "./connect.ts";
export type { LiveView } from "./live-view.ts";
export type { Place, Presence, PresentUser } from "./presence.ts";
export type { ChangeOf, Saved, TableClient, TableRecord } from "./table-client.ts";
export type {
  CreateOf,
  Day,
  EditOf,
  FilterOf,
  Instant,
  Integer,
  TableType,
  TableTypes,
  View,
} from "./table-types.ts";
// biome-ignore-end lint/performance/noBarrelFile: the only file that users of the package import.
