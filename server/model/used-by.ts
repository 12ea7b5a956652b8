import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { expressionOf, inputsOf, partsOf } from "../../shared/model/expression/expression-of.ts";
import { resolveField } from "../../shared/model/former-names.ts";
import { optionsIn } from "../../shared/model/migrate-filter.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../shared/model/model.ts";
import { type PlanStep, replacedBy } from "../../shared/model/plan-step.ts";
import { ruleNeeds } from "../../shared/model/view/appearance.ts";
import { viewNeeds, viewSettingsSchema } from "../../shared/model/view/view.ts";
import { type DataTile, isDataTile, type Tile } from "../../shared/model/wallboard/tile.ts";
import { tileNeeds } from "../../shared/model/wallboard/tile-needs.ts";
import { type Grant, grantKey, type Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  type Use,
  type UseCount,
  type UseKind,
  type UsesQuery,
  useKinds,
} from "../../shared/protocol/model.ts";
import { readRole } from "../auth/find-role.ts";
import { hasRight } from "../auth/require-right.ts";
import { visibleModel } from "../policy/visible-model.ts";
import { toVisibleView } from "../policy/visible-view.ts";
import type { Db } from "../store/database.ts";
import { listDisplays } from "../store/displays/displays.ts";
import { watchersOfView } from "../store/inbox.ts";
import { listWallboards } from "../store/tiles/wallboards.ts";
import { listApiTokens } from "../store/users/api-tokens.ts";
import { listRoles } from "../store/users/roles.ts";
import { findView, listAllViews } from "../store/views/views.ts";
import { listWebhookFilters } from "../store/webhooks/webhooks.ts";
import { readWallboard, type Wallboard } from "../tiles/wallboards/stored-wallboard.ts";
import { isHiddenTile } from "../tiles/wallboards/wallboard-rights.ts";

/*
 * What uses a table, a field, an option, a role or a view: the one place that knows all kinds of documents that name parts of the
 * model. Everything is read anew for each call, which a user makes before removing something.
 *
 * A reader may ask about what they see of the model. What they may not see of the answer is in it without a name: that one more view
 * or role would be affected is what they have to know, but not which.
 */

/** One document, or part of the model, with all that it names of a table. */
interface Mention {
  kind: UseKind;
  id: string;
  name: string;
  within?: string;
  table: string;
  fields: ReadonlySet<string>;
  options: readonly { field: string; option: string }[];
  isVisible: boolean;
}

/** What is asked about: the options are those of the field. */
interface Part {
  table: Table;
  field?: Field | undefined;
  options?: readonly string[] | undefined;
}

/** What uses a part of the published model, or a role, as far as the caller may see it. */
export async function usesOf(db: Db, model: Model, me: Subject, query: UsesQuery): Promise<Use[]> {
  if (query.role !== undefined) return usesOfRole(db, model, me, query.role);
  if (query.view !== undefined) return usesOfView(db, model, me, query.view);
  const table = findTable(visibleModel(model, me), query.table ?? "");
  const field = query.field === undefined ? undefined : table && findField(table, query.field);
  if (!table || (query.field !== undefined && !field)) throw new Refusal("not_found");
  const options = query.option === undefined ? undefined : [query.option];
  const part = { table: findTable(model, table.name) ?? table, field, options };
  const visible = findTable(visibleModel(model, me), table.name) ?? table;
  const declared = [...partsOfTable(part.table, visible), ...linksTo(table, model, me)];
  const inModel = declared.filter((one) => isMentioned(one, part));
  return inOrder([
    ...inModel.map((one) => toUse(one, part)),
    ...(await documentUses(db, model, me, part)),
  ]);
}

/** How long the list of each field of a table is that the caller sees: all of them by one reading of the documents. */
export async function countUses(
  db: Db,
  model: Model,
  me: Subject,
  name: string,
): Promise<UseCount[]> {
  const visible = findTable(visibleModel(model, me), name);
  if (!visible) throw new Refusal("not_found");
  const table = findTable(model, visible.name) ?? visible;
  const documents = await readDocuments(db);
  const mentions = mentionsIn(documents, model, me, { table });
  const declared = partsOfTable(table, visible);
  return visible.fields.map((field) => {
    const part = { table, field };
    const inModel = declared.filter((one) => isMentioned(one, part));
    const inDocuments = usesAmong(mentions, documents, me, part);
    return { field: field.name, count: inModel.length + inDocuments.length };
  });
}

/** What uses the parts that the steps of a plan remove or change, by step: the stored documents, not the rest of the model. */
export async function usesOfSteps(
  db: Db,
  model: Model,
  me: Subject,
  steps: readonly PlanStep[],
): Promise<Use[][]> {
  const parts = steps.map((step) => partOf(step, model));
  if (!parts.some(Boolean)) return steps.map(() => []);
  const documents = await readDocuments(db);
  return parts.map((part) => (part ? inOrder(usesIn(documents, model, me, part)) : []));
}

/** What a step takes from those who use it; null if it takes nothing. */
function partOf(step: PlanStep, model: Model): Part | null {
  const table = model.tables.find(
    ({ id, name }) => (step.table.id ?? step.table.name) === (id ?? name),
  );
  if (!table) return null;
  switch (step.kind) {
    case "removeTable":
      return { table };
    case "removeField":
      return { table, field: step.field };
    case "retypeField":
      return { table, field: step.from };
    case "replaceOptions":
      return {
        table,
        field: step.from,
        options: step.gone.filter((option) => replacedBy(step, option) === undefined),
      };
    default:
      return null;
  }
}

async function usesOfRole(db: Db, model: Model, me: Subject, id: string): Promise<Use[]> {
  const { roles, tokens } = await readDocuments(db);
  const role = roles.find((one) => one.id === id);
  if (!role || !hasRight(me, "roles")) throw new Refusal("not_found");
  const visible = visibleModel(model, me);
  const transitions = model.tables.flatMap(({ name, label, workflow }) =>
    (workflow?.transitions ?? []).flatMap((transition): Use[] => {
      if (!transition.roles?.includes(id)) return [];
      const isVisible = findTable(visible, name)?.workflow !== undefined;
      const named = { id: transition.name, name: transition.label, within: label };
      return [{ kind: "transition", ...(isVisible ? named : unnamed), options: [] }];
    }),
  );
  return inOrder([...transitions, ...tokenUses(tokens, [role], me)]);
}

/** Who watches it: whoever removes a view ends that. Nothing else names a view. */
async function usesOfView(db: Db, model: Model, me: Subject, id: string): Promise<Use[]> {
  const row = await findView(db, id);
  if (!row || !toVisibleView(row, me, model)) throw new Refusal("not_found");
  const watchers = await watchersOfView(db, id);
  return inOrder(
    watchers.map((user): Use => {
      const isVisible = user.id === me.id || hasRight(me, "users");
      const named = { id: user.id, name: user.name, within: null };
      return { kind: "watch", ...(isVisible ? named : unnamed), options: [] };
    }),
  );
}

type Documents = Awaited<ReturnType<typeof readDocuments>>;

async function readDocuments(db: Db) {
  const wallboards = (await listWallboards(db)).flatMap((row) => readWallboard(row) ?? []);
  return {
    wallboards,
    views: await listAllViews(db),
    displays: await listDisplays(db),
    roles: (await listRoles(db)).map(readRole),
    webhooks: await listWebhookFilters(db),
    tokens: await listApiTokens(db, null),
  };
}

async function documentUses(db: Db, model: Model, me: Subject, part: Part): Promise<Use[]> {
  return usesIn(await readDocuments(db), model, me, part);
}

function usesIn(documents: Documents, model: Model, me: Subject, part: Part): Use[] {
  return usesAmong(mentionsIn(documents, model, me, part), documents, me, part);
}

/** What the stored documents name of the table of a part. */
function mentionsIn(documents: Documents, model: Model, me: Subject, part: Part) {
  const { table } = part;
  const isVisible = hasRight(me, "roles");
  return {
    views: viewMentions(documents, model, me, table),
    tiles: tileMentions(documents.wallboards, model, me, table),
    webhooks: webhookMentions(documents, me, part),
    roles: documents.roles.map((role) => ({
      role,
      mention: { ...roleMention(role, table), isVisible },
    })),
  };
}

function usesAmong(
  { views, tiles, webhooks, roles: named }: ReturnType<typeof mentionsIn>,
  { wallboards, displays, tokens }: Documents,
  me: Subject,
  part: Part,
): Use[] {
  const shownTiles = tiles.filter((one) => isMentioned(one, part));
  const others = [...views, ...webhooks].filter((one) => isMentioned(one, part));
  const roles = named.filter(({ mention }) => isMentioned(mention, part));
  const shown = new Set(shownTiles.map(({ id }) => id));
  const seesDisplays = hasRight(me, "displays") || hasRight(me, "wallboards");
  const screens = displays.flatMap(({ id, name, boards, revoked_at }): Use[] => {
    const board = boards.find((one) => shown.has(one));
    const wallboard = wallboards.find((one) => one.id === board);
    if (!wallboard?.published || revoked_at !== null) return [];
    const named = { id, name, within: wallboard.published.document.name };
    return [{ kind: "display", ...(seesDisplays ? named : unnamed), options: [] }];
  });
  return [
    ...[...others, ...shownTiles].map((one) => toUse(one, part)),
    ...screens,
    ...roles.map(({ mention }) => toUse(mention, part)),
    ...tokenUses(
      tokens,
      roles.map(({ role }) => role),
      me,
    ),
  ];
}

/** The computed and derived fields, rules and transitions of a table. `visible` is what the reader sees of it. */
function partsOfTable(table: Table, visible: Table): Mention[] {
  const sees = (names: Iterable<string>) => [...names].every((name) => findField(visible, name));
  const fields = table.fields.flatMap((field): Mention[] => {
    const inputs = new Set([...inputsOf(field, table)].map(({ name }) => name));
    if (inputs.size === 0) return [];
    const { name: id, label: name } = field;
    const options = [...optionsOf(filtersIn(field), table), ...derivedFrom(field)];
    const at = { kind: "field", id, name, table: table.name } as const;
    return [{ ...at, fields: inputs, options, isVisible: sees([id]) }];
  });
  const rules = (table.rules ?? []).map(({ filter, message }, index): Mention => {
    const named = fieldsOf(filter);
    const at = { kind: "rule", id: String(index), name: message, table: table.name } as const;
    return { ...at, fields: named, options: optionsOf([filter], table), isVisible: sees(named) };
  });
  const transitions = (table.workflow?.transitions ?? []).map((transition): Mention => {
    const { name: id, label: name, guard, requires = [], sets = {} } = transition;
    const named = new Set([...(guard ? fieldsOf(guard) : []), ...requires, ...Object.keys(sets)]);
    const set = Object.entries(sets).map(([field, option]) => ({ field, option: String(option) }));
    const options = [...optionsOf(guard ? [guard] : [], table), ...set];
    const isVisible = visible.workflow !== undefined && sees(named);
    return { kind: "transition", id, name, table: table.name, fields: named, options, isVisible };
  });
  return [...fields, ...rules, ...transitions];
}

/** The fields of other tables that link to a table. */
function linksTo({ name: table }: Table, model: Model, me: Subject): Mention[] {
  const visible = visibleModel(model, me);
  return model.tables.flatMap((other) =>
    other.fields.flatMap(({ name: id, label: name, target }): Mention[] => {
      if (target !== table || other.name === table) return [];
      const shown = findTable(visible, other.name);
      const isVisible = shown !== undefined && findField(shown, id) !== undefined;
      const at = { kind: "field", id, name, within: other.label, table } as const;
      return [{ ...at, fields: new Set(), options: [], isVisible }];
    }),
  );
}

function filtersIn(field: Field): Filter[] {
  const parsed = expressionOf(field);
  if (!parsed) return [];
  if ("condition" in parsed) return [parsed.condition];
  return partsOf(parsed.value).flatMap((part) => (part.type === "if" ? [part.when] : []));
}

/** The options by whose combinations a field is derived. */
function derivedFrom({ derive }: Field): Mention["options"] {
  if (!derive) return [];
  return Object.keys(derive.values).flatMap((key) =>
    key.split("|").map((option, place) => ({ field: derive.fields[place] ?? "", option })),
  );
}

function viewMentions({ views }: Documents, model: Model, me: Subject, table: Table): Mention[] {
  return views.flatMap((row): Mention[] => {
    const settings = viewSettingsSchema.safeParse(row.look).data;
    if (row.table_name !== table.name || !settings) return [];
    const { filter, columns, appearance } = settings;
    const rules = appearance?.rules ?? [];
    const named = columns.map(({ field }) => field).concat(rules.flatMap(ruleNeeds));
    const filters = [...(filter ? [filter] : []), ...rules.map((rule) => rule.filter)];
    return [
      {
        ...{ kind: "view", id: row.id, name: row.name, table: table.name },
        fields: new Set([...viewNeeds(settings), ...named]),
        options: optionsOf(filters, table),
        isVisible: toVisibleView(row, me, model) !== null,
      },
    ];
  });
}

/** The tiles of drafts and of what is published, each once. Their id is that of the wallboard. */
function tileMentions(
  wallboards: readonly Wallboard[],
  model: Model,
  me: Subject,
  table: Table,
): Mention[] {
  return wallboards.flatMap((wallboard) => {
    const { id, draft, published } = wallboard;
    const isShown = published !== null || hasRight(me, "wallboards");
    const byId = new Map<string, DataTile[]>();
    for (const tile of [...draft.tiles, ...(published?.document.tiles ?? [])]) {
      if (!isDataTile(tile) || tile.table !== table.name) continue;
      byId.set(tile.id, [...(byId.get(tile.id) ?? []), tile]);
    }
    return [...byId.values()].map((versions): Mention => {
      const [tile] = versions;
      const filters = versions.flatMap(filtersOfTile);
      return {
        ...{ kind: "tile", id, name: tile?.title ?? table.label, within: draft.name },
        table: table.name,
        fields: new Set(versions.flatMap((one) => tileNeeds(one, model).fields)),
        options: optionsOf(filters, table),
        isVisible: isShown && !versions.some((one: Tile) => isHiddenTile(one, model, me)),
      };
    });
  });
}

function filtersOfTile(tile: DataTile): Filter[] {
  const whole = tile.kind === "progress" ? tile.of?.filter : null;
  return [tile.filter, whole].flatMap((filter) => filter ?? []);
}

/** What a webhook sends is for its owner only; that it follows the table is not. */
function webhookMentions({ webhooks }: Documents, me: Subject, { table, field }: Part): Mention[] {
  return webhooks.flatMap(({ id, name, table_name, filter, fields, owner }): Mention[] => {
    if (table_name !== table.name) return [];
    const named = new Set([...(filter ? fieldsOf(filter) : []), ...(fields ?? [])]);
    const options = optionsOf(filter ? [filter] : [], table);
    const isVisible = hasRight(me, "webhooks") && (field === undefined || owner === me.id);
    return [{ kind: "webhook", id, name, table: table.name, fields: named, options, isVisible }];
  });
}

/** What a role grants on a table by name; it mentions no table that it only grants on as on all others. */
function roleMention({ id, name, grants }: Role, table: Table): Mention {
  const key = grantKey(grants, table);
  const grant: Grant = (key === null ? undefined : grants[key]) ?? {};
  const { read, update, delete: remove } = grant;
  const parts = [read, update, remove].flatMap((one) => (typeof one === "object" ? [one] : []));
  const filters = parts.flatMap(({ filter }) => filter ?? []);
  const listed = [
    ...(typeof read === "object" ? (read.hide ?? []) : []),
    ...(typeof update === "object" ? (update.fields ?? []) : []),
    ...filters.flatMap((filter) => [...fieldsOf(filter)]),
  ];
  const fields = new Set(listed.map((one) => resolveField(table, one)?.name ?? one));
  const options = optionsOf(filters, table);
  const at = key === null ? "" : table.name;
  return { kind: "role", id, name, table: at, fields, options, isVisible: true };
}

/** The tokens with one of these roles of their own. */
function tokenUses(tokens: Documents["tokens"], roles: readonly Role[], me: Subject): Use[] {
  return tokens.flatMap(({ id, name, role: own, created_by }): Use[] => {
    const role = roles.find((one) => one.id === own);
    if (!role) return [];
    const isVisible = created_by === me.id || hasRight(me, "tokens");
    const within = hasRight(me, "roles") ? role.name : null;
    return [{ kind: "token", ...(isVisible ? { id, name, within } : unnamed), options: [] }];
  });
}

function optionsOf(filters: readonly Filter[], table: Table): Mention["options"] {
  return filters.flatMap((filter) =>
    optionsIn(filter, table).map(({ field, option }) => ({ field: field.name, option })),
  );
}

/** Whether a document names the part. A table is not used by its own fields, rules and transitions. */
function isMentioned(one: Mention, { table, field, options }: Part): boolean {
  if (one.table !== table.name) return false;
  if (!field) return one.within !== undefined || !ownKinds.has(one.kind);
  if (!options) return one.fields.has(field.name);
  return one.options.some((used) => used.field === field.name && options.includes(used.option));
}

const ownKinds: ReadonlySet<UseKind> = new Set(["field", "rule", "transition"]);
const unnamed = { id: null, name: null, within: null };

function toUse({ kind, id, name, within, options, isVisible }: Mention, { field }: Part): Use {
  const used = options.flatMap((one) => (one.field === field?.name ? [one.option] : []));
  const named = isVisible ? { id, name, within: within ?? null } : unnamed;
  return { kind, ...named, options: [...new Set(used)] };
}

/** By kind, then by name; those without one come last. */
function inOrder(uses: readonly Use[]): Use[] {
  const text = ({ name, within }: Use) => (name === null ? "\uffff" : `${name}\n${within ?? ""}`);
  return [...uses].sort(
    (a, b) =>
      useKinds.indexOf(a.kind) - useKinds.indexOf(b.kind) ||
      (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0),
  );
}
