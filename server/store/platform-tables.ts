import type { ColumnType, Generated, GeneratedAlways, Selectable } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import type { DisplayReport } from "../../shared/protocol/displays.ts";
import type { DimHours } from "../../shared/protocol/signals.ts";

/**
 * Our own tables, for the query builder (ADR 54). Columns with a default are `Generated`; a test compares them with
 * the database (platform-tables.test.ts). JSON is as it is stored: another program may have written anything.
 */
export interface PlatformTables {
  "watchfloor.api_token": ApiTokenTable;
  "watchfloor.display": DisplayTable;
  "watchfloor.display_pairing": DisplayPairingTable;
  "watchfloor.display_report": DisplayReportTable;
  "watchfloor.invitation": LinkTable;
  "watchfloor.known_device": KnownDeviceTable;
  "watchfloor.passkey": PasskeyTable;
  "watchfloor.passkey_challenge": PasskeyChallengeTable;
  "watchfloor.password_reset": LinkTable;
  "watchfloor.recovery_code": RecoveryCodeTable;
  "watchfloor.role": RoleTable;
  "watchfloor.security_event": SecurityEventTable;
  "watchfloor.session": SessionTable;
  "watchfloor.setup_token": SetupTokenTable;
  "watchfloor.sign_in_attempt": SignInAttemptTable;
  "watchfloor.totp": TotpTable;
  "watchfloor.user": UserTable;
  "watchfloor.view": ViewTable;
  "watchfloor.wallboard": WallboardTable;
}

/** A row as it is read: all columns, or some. */
export type RowOf<
  Table extends keyof PlatformTables,
  Column extends keyof Selectable<PlatformTables[Table]> = keyof Selectable<PlatformTables[Table]>,
> = Pick<Selectable<PlatformTables[Table]>, Column>;

/** A `jsonb` column, written as text. */
type Jsonb<T> = ColumnType<T, string, string>;
/** `text[]` */
type TextsWithDefault = ColumnType<string[], readonly string[] | undefined, readonly string[]>;
type JsonbOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
type JsonbWithDefault<T> = ColumnType<T, string | undefined, string>;

interface UserTable {
  id: string;
  email: string;
  name: string;
  colour: string;
  role: string;
  attributes: JsonbWithDefault<Record<string, Json>>;
  status: "invited" | "active" | "disabled";
  password_hash: string | null;
  last_seen: string | null;
  created_at: Generated<string>;
  rights_version: Generated<number>;
}

interface RoleTable {
  id: string;
  name: string;
  rights: JsonbWithDefault<Json>;
  grants: JsonbWithDefault<Json>;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  rights_version: Generated<number>;
}

interface SessionTable {
  id: string;
  user_id: string;
  created_at: Generated<string>;
  last_seen: Generated<string>;
  ip: string;
  user_agent: string;
}

interface ApiTokenTable {
  id: string;
  name: string;
  hash: string;
  prefix: string;
  created_by: string;
  /** Null: the role of its creator. */
  role: string | null;
  rights_version: Generated<number>;
  created_at: Generated<string>;
  /** Null if it does not expire. */
  expires_at: string | null;
  last_used: string | null;
  revoked_at: string | null;
}

/** One-time tokens by their hash. */
interface LinkTable {
  id: string;
  user_id: string;
  created_at: Generated<string>;
}

interface SetupTokenTable {
  id: string;
  created_at: Generated<string>;
}

interface KnownDeviceTable {
  id: string;
  user_id: string;
  created_at: Generated<string>;
  last_used: Generated<string>;
}

interface PasskeyTable {
  id: string;
  user_id: string;
  name: string;
  /** The host that it was made for: it is valid on no other. */
  site: string;
  public_key: string;
  counter: number;
  transports: JsonbWithDefault<string[]>;
  created_at: Generated<string>;
  last_used: string | null;
}

interface PasskeyChallengeTable {
  id: string;
  /** Null for a challenge of a sign-in, before the user is known. */
  user_id: string | null;
  created_at: Generated<string>;
}

interface RecoveryCodeTable {
  user_id: string;
  hash: string;
}

interface TotpTable {
  user_id: string;
  secret: string;
  confirmed: Generated<boolean>;
  last_step: Generated<number>;
  created_at: Generated<string>;
}

interface SignInAttemptTable {
  key: string;
  attempts: string[];
}

interface SecurityEventTable {
  id: GeneratedAlways<number>;
  at: Generated<string>;
  kind: string;
  /** A user's id; null if unknown. */
  actor: string | null;
  actor_name: string | null;
  /** A user's id, or a role's together with its name. */
  subject: string | null;
  subject_name: string | null;
  ip: string | null;
  user_agent: string | null;
  detail: JsonbWithDefault<Record<string, Json>>;
}

interface DisplayTable {
  id: string;
  name: string;
  boards: TextsWithDefault;
  rotation_seconds: Generated<number>;
  showing: string | null;
  muted: Generated<boolean>;
  dim: JsonbOrNull<DimHours>;
  identify_until: string | null;
  reload_asked_at: string | null;
  token_hash: string | null;
  revoked_at: string | null;
  created_at: Generated<string>;
}

interface DisplayPairingTable {
  secret_hash: string;
  code_hash: string;
  display_id: string | null;
  created_at: Generated<string>;
}

interface DisplayReportTable {
  display_id: string;
  seen_at: Generated<string>;
  dark_since: string | null;
  report: Jsonb<DisplayReport>;
}

interface ViewTable {
  id: string;
  table_name: string;
  name: string;
  shared: boolean;
  owner: string | null;
  look: Jsonb<Json>;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  updated_by: string | null;
  removed_at: string | null;
}

interface WallboardTable {
  id: string;
  draft: Jsonb<Json>;
  version: Generated<number>;
  published: JsonbOrNull<Json>;
  published_version: number | null;
  scopes: JsonbOrNull<Json>;
  published_at: string | null;
  published_by: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  updated_by: string | null;
  removed_at: string | null;
}
