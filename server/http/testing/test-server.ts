import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll } from "vitest";
import { testConfig } from "../../../e2e/harness/test-config.ts";
import { anyDatabase, type DatabaseKind } from "../../../e2e/provision/databases.ts";
import { DEFAULT_LANGUAGE } from "../../../shared/filter/text-order.ts";
import type { Model } from "../../../shared/model/model.ts";
import { identify } from "../../auth/authenticate.ts";
import { type Auth, createAuth } from "../../auth/create-auth.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import { ensureOwner, type Template } from "../../auth/setup.ts";
import { ChangeSets } from "../../change-sets/change-sets.ts";
import { Commands } from "../../commands/commands.ts";
import { mailOff } from "../../config/config.ts";
import { createDisplays, type Displays } from "../../displays/create-displays.ts";
import { ClientConnections } from "../../load/client-connections.ts";
import { createRateLimits } from "../../load/rate-limits.ts";
import { UnreadAnswers } from "../../load/unread-answers.ts";
import { publishExample } from "../../model/apply-template.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { createNotifications } from "../../notifications/create-notifications.ts";
import { ChangeNotifier } from "../../store/change-notifier.ts";
import { createCurrentModel } from "../../store/current-model.ts";
import { openDatabase } from "../../store/database.ts";
import { installModel } from "../../store/models.ts";
import { createMigrated } from "../../store/testing/store-environment.ts";
import { readSystem } from "../../system/read-system.ts";
import { WallboardCache } from "../../tiles/wallboards/wallboard-cache.ts";
import { requireWallboardsForDisplay } from "../../tiles/wallboards/wallboard-commands.ts";
import { createWebhooks } from "../../webhooks/create-webhooks.ts";
import { addressOf } from "../address-of.ts";
import type { AppDeps } from "../app-deps.ts";
import { limitBodyTime } from "../body-deadline.ts";
import { createApp } from "../create-app.ts";
import { signedInClient } from "./api-client.ts";

/**
 * The HTTP half on a real database and a real port, for tests. `environment` is what main.ts would read its
 * configuration from; log lines are stored as they would be written.
 */

export interface TestServer {
  origin: string;
  auth: Auth;
  displays: Displays;
  log: string[];
  /** The connection string of the server's own database. */
  databaseUrl: string;
  /** The same database as a superuser. */
  adminUrl: string;
  /** Creates the owner, as the environment would, and returns the id. */
  owner(template?: Template): Promise<string>;
  close(): Promise<void>;
}

export const memberPassword = "seven walnuts on a shelf";
export const ownerCredentials = { email: "Owner@example.com", password: "correct horse battery" };

/** A server for all tests of a file, which is closed after them, with its owner signed in. */
export async function serveTests(template: Template, ...start: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...start);
  afterAll(() => server.close());
  const ownerId = await server.owner(template);
  const owner = await signedInClient(server.origin, ownerCredentials);
  let members = 0;
  /** Adds a user, who signs in. */
  const member = async (role = "editor", attributes: object = {}) => {
    members += 1;
    const credentials = { email: `member${members}@example.com`, password: memberPassword };
    const call = { ...credentials, name: `Member ${members}`, role, attributes };
    const { status, body } = await owner.call("POST", "/api/v1/users", call);
    if (status !== 201) throw new Error(`Adding a user was answered by ${status}.`);
    const client = await signedInClient(server.origin, credentials);
    return { ...client, id: String(body.id), name: call.name, credentials };
  };
  return { server, owner, ownerId, member };
}

export async function startTestServer(
  environment: Record<string, string> = {},
  overrides: Partial<AppDeps> = {},
  kind: DatabaseKind | undefined = anyDatabase,
  initialModel: Model = serviceDesk,
): Promise<TestServer> {
  if (!kind) throw new Error("There is no database to test on.");
  const own = await createMigrated(kind);
  const database = openDatabase({ connectionString: own.url, poolSize: 8, onError: () => {} });
  const config = testConfig(environment);
  const log: string[] = [];
  const model = await createCurrentModel(database);
  const context = { database, model, limits: config.limits, textOrder: DEFAULT_LANGUAGE };
  const applyTemplate = async (template: Template) => {
    if (template === "service-desk") await installModel(database, initialModel, "system");
    await model.refresh();
  };
  const commands = new Commands({
    ...context,
    onCommit: () => {},
    onError: (error) => log.push(String(error)),
  });
  const notifier = new ChangeNotifier();
  const auth = createAuth({
    db: database.kysely,
    limits: config.limits,
    secretKey: config.secretKey,
    publicUrl: config.publicUrl,
    applyTemplate,
    notifier,
  });
  const wallboardCache = new WallboardCache(database, notifier);
  const { reads } = commands;
  const wallboards = { ...context, reads, wallboardCache };
  const displays = createDisplays({
    db: database.kysely,
    limits: config.limits,
    requireWallboards: (me, ids) => requireWallboardsForDisplay(wallboards, me, ids),
    build: () => "the build",
    notifier,
  });
  notifier.start(database, (error) => log.push(String(error)));
  const connections = new ClientConnections(addressOf(config.trustProxy), config.limits);
  const answers = new UnreadAnswers(config.limits);
  const comments = { ...context, reads, database: reads.database };
  const models = { database, limits: config.limits, onSaved: model.refresh };
  const deps: AppDeps = {
    config,
    notifications: createNotifications(config, { ...context, auth, comments }),
    connections,
    answers,
    auth,
    rates: createRateLimits(config.limits.RATE_WINDOW_MS),
    displays,
    commands,
    log: pino({ level: "debug" }, { write: (line: string) => log.push(line) }),
    ...context,
    models,
    // Without what shows them.
    useExample: (name, author) => publishExample(models, name, author),
    changeSets: new ChangeSets({
      ...context,
      commands,
      identify: (author) => identify(database.kysely, author),
      onError: (error) => log.push(String(error)),
    }),
    wallboards,
    comments,
    webhooks: createWebhooks({
      ...context,
      identify: (author) => identify(database.kysely, author),
      box: createSecretBox(config.secretKey),
      allowPrivate: config.webhookAllowPrivate,
      notifier,
    }),
    system: (subject) =>
      readSystem(
        {
          ...{ database, model, version: "0.0.0", limits: config.limits },
          ...{
            isBackupScheduled: false,
            mailOff: mailOff(config),
            messages: () => "alone",
            nodes: async () => [],
          },
        },
        subject,
      ),
    version: "0.0.0",
    clientDir: "/nonexistent",
    stopping: () => false,
    checks: {},
    checksContract: true,
    ...overrides,
  };
  const server = createServer(createApp(deps)).listen(0, "127.0.0.1");
  limitBodyTime(server, config.limits.PUBLIC_BODY_TIMEOUT_MS);
  answers.watch(server);
  connections.watch(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    auth,
    displays,
    log,
    databaseUrl: own.url,
    adminUrl: own.adminUrl,
    async owner(template = "empty") {
      const id = await ensureOwner(auth, { ...ownerCredentials, template });
      if (!id) throw new Error("There is an owner already.");
      return id;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      notifier.stop();
      await commands.close();
      await database.close();
      await own.drop();
    },
  };
}
