import type { ColumnType, Generated, GeneratedAlways, Selectable } from "kysely";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import type { Model, Values } from "../../shared/model/model.ts";
import type { ChangeSetState, OpOutcome } from "../../shared/protocol/change-sets.ts";
import type { DisplayReport } from "../../shared/protocol/displays.ts";
import type { ErrorBody } from "../../shared/protocol/errors.ts";
import type { ProviderOptions } from "../../shared/protocol/identity-providers.ts";
import type { RejectedRow } from "../../shared/protocol/imports.ts";
import type { InboxCause, InboxEvent, MailWhen } from "../../shared/protocol/inbox.ts";
import type { DimHours } from "../../shared/protocol/signals.ts";
import type { WebhookDelivery, WebhookFailure } from "../../shared/protocol/webhooks.ts";

/**
 * Our own tables, for the query builder (ADR 54): all of them. Columns with a default are `Generated`; a test compares them with
 * the database (platform-tables.test.ts). JSON is as it is stored: another program may have written anything.
 */
export interface PlatformTables {
  "watchfloor.api_token": ApiTokenTable;
  "watchfloor.change": ChangeTable;
  "watchfloor.change_set": ChangeSetTable;
  "watchfloor.change_set_op": ChangeSetOpTable;
  "watchfloor.change_set_reject": ChangeSetRejectTable;
  "watchfloor.comment": CommentTable;
  "watchfloor.comment_read": CommentReadTable;
  "watchfloor.delivery": DeliveryTable;
  "watchfloor.display": DisplayTable;
  "watchfloor.display_pairing": DisplayPairingTable;
  "watchfloor.display_report": DisplayReportTable;
  "watchfloor.feed": FeedTable;
  "watchfloor.former_epoch": FormerEpochTable;
  "watchfloor.former_part": FormerPartTable;
  "watchfloor.identity_provider": IdentityProviderTable;
  "watchfloor.inbox_entry": InboxEntryTable;
  "watchfloor.inbox_position": InboxPositionTable;
  "watchfloor.installation": InstallationTable;
  "watchfloor.invitation": LinkTable;
  "watchfloor.known_device": KnownDeviceTable;
  "watchfloor.linked_account": LinkedAccountTable;
  "watchfloor.logout_token": LogoutTokenTable;
  "watchfloor.managed_table": ManagedTableTable;
  "watchfloor.marker": MarkerTable;
  "watchfloor.model": ModelTable;
  "watchfloor.mutation": MutationTable;
  "watchfloor.notification_settings": NotificationSettingsTable;
  "watchfloor.numbering": NumberingTable;
  "watchfloor.passkey": PasskeyTable;
  "watchfloor.passkey_challenge": PasskeyChallengeTable;
  "watchfloor.password_reset": LinkTable;
  "watchfloor.platform": PlatformTable;
  "watchfloor.provider_visit": ProviderVisitTable;
  "watchfloor.record_rank": RecordRankTable;
  "watchfloor.recovery_code": RecoveryCodeTable;
  "watchfloor.role": RoleTable;
  "watchfloor.scheduled_backup": ScheduledBackupTable;
  "watchfloor.security_event": SecurityEventTable;
  "watchfloor.session": SessionTable;
  "watchfloor.setup_token": SetupTokenTable;
  "watchfloor.sign_in_attempt": SignInAttemptTable;
  "watchfloor.tile_acknowledgement": TileAcknowledgementTable;
  "watchfloor.totp": TotpTable;
  "watchfloor.user": UserTable;
  "watchfloor.view": ViewTable;
  "watchfloor.wallboard": WallboardTable;
  "watchfloor.watch": WatchTable;
  "watchfloor.webhook": WebhookTable;
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
  /** By whose groups the user has their role; null: by hand. */
  role_provider: string | null;
}

interface IdentityProviderTable {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  /** Encrypted. */
  client_secret: string;
  options: Jsonb<ProviderOptions>;
  from_environment: Generated<boolean>;
  created_at: Generated<string>;
}

interface LinkedAccountTable {
  issuer: string;
  subject: string;
  user_id: string;
  provider: string;
  created_at: Generated<string>;
  last_used: Generated<string>;
}

interface ProviderVisitTable {
  /** The state that the provider sends back, hashed. */
  id: string;
  browser: string;
  provider: string;
  purpose: "sign_in" | "proof" | "link";
  session: string | null;
  invitation: string | null;
  nonce: string;
  verifier: string;
  return_to: string;
  created_at: Generated<string>;
  used_at: string | null;
  problem: JsonbOrNull<ErrorBody>;
}

interface LogoutTokenTable {
  id: string;
  created_at: Generated<string>;
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
  proven_at: Generated<string>;
  /** Of a session that began at a provider. */
  provider: string | null;
  issuer: string | null;
  subject: string | null;
  provider_session: string | null;
  /** Encrypted. */
  id_token: string | null;
  lacks_factor: Generated<boolean>;
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
  secret: string | null;
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
  zone: string | null;
  identify_until: string | null;
  reload_asked_at: string | null;
  token_hash: string | null;
  revoked_at: string | null;
  created_at: Generated<string>;
  owner: string | null;
  role: string | null;
  attributes: JsonbWithDefault<Record<string, Json>>;
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
  order_version: Generated<number>;
}

interface RecordRankTable {
  view: string;
  record: string;
  /** With more digits than a number of JavaScript has: it is computed by the database alone. */
  rank: number;
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

interface TileAcknowledgementTable {
  wallboard: string;
  tile: string;
  /** The key of a row as JSON text. */
  row_key: string;
  word: string;
  by: string;
  at: Generated<string>;
}

interface ChangeSetTable {
  id: string;
  title: string;
  author: string;
  origin: string;
  state: Generated<ChangeSetState | "writing">;
  version: Generated<number>;
  reverts: string | null;
  reverts_all: Generated<boolean>;
  import: JsonbOrNull<Json>;
  rights: string | null;
  run: Generated<number>;
  atomic: Generated<boolean>;
  batch_size: Generated<number>;
  cancelling: Generated<boolean>;
  lease_by: string | null;
  lease_until: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  applied_at: string | null;
}

interface ChangeSetOpTable {
  change_set: string;
  n: number;
  table_id: string;
  record: string;
  kind: string;
  op: Jsonb<Record<string, Json>>;
  status: OpOutcome | null;
  error: JsonbOrNull<ErrorBody>;
  key: string | null;
  line: number | null;
}

interface ChangeSetRejectTable {
  change_set: string;
  line: number;
  cells: Jsonb<RejectedRow["cells"]>;
  errors: Jsonb<RejectedRow["errors"]>;
}

interface CommentTable {
  id: string;
  n: GeneratedAlways<number>;
  table_id: string;
  record: string;
  author: string;
  text: string;
  mentions: TextsWithDefault;
  created_at: Generated<string>;
  edited_at: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  removed_at: string | null;
  removed_by: string | null;
  changed_at: Generated<string>;
}

interface CommentReadTable {
  user_id: string;
  table_id: string;
  record: string;
  upto: number;
}

interface WebhookTable {
  id: string;
  name: string;
  url: string;
  table_name: string;
  events: Jsonb<Json>;
  filter: JsonbOrNull<Filter>;
  fields: JsonbOrNull<string[]>;
  owner: string;
  token: string | null;
  /** Encrypted. */
  secret: string;
  former_secret: string | null;
  former_secret_until: string | null;
  paused: Generated<boolean>;
  epoch: string;
  seq: number;
  failures: Generated<number>;
  missed: string | null;
  missed_at: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}

interface DeliveryTable {
  n: GeneratedAlways<number>;
  id: string;
  webhook: string | null;
  kind: WebhookDelivery["kind"] | "mail";
  epoch: string | null;
  seq: number | null;
  record: string | null;
  type: string | null;
  state: WebhookDelivery["state"];
  attempts: Generated<number>;
  next_at: Generated<string>;
  status: number | null;
  error: WebhookFailure | "floor" | "epoch" | null;
  excerpt: string | null;
  duration_ms: number | null;
  created_at: Generated<string>;
  attempted_at: string | null;
  user_id: string | null;
}

/** What is folded into an entry: of one kind, by one author. What does not apply is absent. */
export interface EntryPart {
  event?: InboxEvent;
  /** Ids of fields. Its reader must be able to read one of them; without this list, none in particular. */
  fields?: string[];
  view?: string;
  comment?: string;
  /** As in the change log: <kind>:<id>; absent: the passing of time. */
  by?: string;
  /** Of the last of it. */
  epoch?: string;
  seq?: number;
  at: string;
  /** Without those that another part counts. */
  count: number;
}

interface InboxEntryTable {
  n: GeneratedAlways<number>;
  user_id: string;
  cause: InboxCause;
  table_id: Generated<string>;
  record: string;
  parts: JsonbWithDefault<EntryPart[]>;
  at: Generated<string>;
  read_at: string | null;
  mail: Generated<MailWhen>;
  mail_since: string | null;
  delivery: string | null;
  changed_at: Generated<string>;
}

interface InboxPositionTable {
  feed: number;
  epoch: string;
  seq: number;
}

interface WatchTable {
  id: string;
  user_id: string;
  table_id: string;
  record: string | null;
  view: string | null;
  fields: null | string[];
  created_at: Generated<string>;
  evaluated_at: Generated<string>;
}

interface NotificationSettingsTable {
  user_id: string;
  settings: JsonbWithDefault<Json>;
  unsubscribe: Generated<string>;
}

interface ModelTable {
  version: number;
  document: Jsonb<Model>;
  by: string;
  at: Generated<string>;
}

/** Tables and fields of former versions of the model (models.ts). */
interface FormerPartTable {
  table_id: string;
  field_id: Generated<string>;
  version: number;
  names: string[];
  document: Jsonb<Json>;
}

/** Tables that Watchfloor created, by oid (managed-tables.ts). */
interface ManagedTableTable {
  relation: number;
  created_at: Generated<string>;
}

interface InstallationTable {
  id: Generated<string>;
  sole: Generated<boolean>;
  bus_key: string;
  /** The fingerprint of the triggers of our own tables (capture-check.ts). */
  triggers: string | null;
}

interface PlatformTable {
  key: string;
  value: Jsonb<Json>;
}

interface ScheduledBackupTable {
  sole: Generated<boolean>;
  attempted_at: string;
  ended_at: string | null;
  error: string | null;
  succeeded_at: string | null;
  seconds: number | null;
  bytes: number | null;
  file: string | null;
}

interface FeedTable {
  id: GeneratedAlways<number>;
  /** Null of a removed table. */
  table_name: string | null;
  table_id: string | null;
  epoch: Generated<string>;
  head: Generated<number>;
  floor: Generated<number>;
  names: JsonbOrNull<Record<string, string>>;
  instance: Generated<string | null>;
  triggers: string | null;
}

interface ChangeTable {
  tx: Generated<string>;
  ord: Generated<number>;
  feed: number;
  record: string;
  kind: string;
  before: JsonbOrNull<Values>;
  after: JsonbOrNull<Values>;
  entry: number | null;
  actor: string;
  mutation: string | null;
  change_set: string | null;
  transition: string | null;
  reason: string | null;
  at: Generated<string>;
  origin: string | null;
  erased: JsonbOrNull<Values>;
}

interface NumberingTable {
  feed: number;
  upto: number;
  n: number;
  tx: string;
  first_ord: number;
  last_ord: number;
  at: Generated<string>;
}

interface MarkerTable {
  tx: string;
  since: number;
  feed: number | null;
  n: number | null;
  last_ord: number | null;
}

interface FormerEpochTable {
  feed: number;
  epoch: string;
  upto: number;
  ended_at: Generated<string>;
}

interface MutationTable {
  author: string;
  id: string;
  hash: string;
  results: Jsonb<Json>;
  tx: Generated<string>;
  at: Generated<string>;
}
