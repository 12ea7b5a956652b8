import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type DatabaseKind, databases } from "../../../e2e/provision/databases.ts";
import type { Model } from "../../../shared/model/model.ts";
import { type Auth, createAuth } from "../../auth/create-auth.ts";
import { createRateLimits } from "../../auth/rate-limits.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import type { Template } from "../../auth/setup.ts";
import { ChangeSets } from "../../change-sets/change-sets.ts";
import { createCommands } from "../../commands/create-commands.ts";
import { Comments } from "../../comments/comments.ts";
import { readConfig } from "../../config/config.ts";
import { createDisplays, type Displays } from "../../displays/create-displays.ts";
import { createModels } from "../../model/create-models.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { openDatabase } from "../../store/database.ts";
import { installModel, loadModel } from "../../store/models.ts";
import { createMigrated } from "../../store/testing/store-environment.ts";
import { listenForAccessChanges } from "../../store/users/listen-for-access-changes.ts";
import { readSystem } from "../../system/read-system.ts";
import { BoardCommands } from "../../tiles/boards/board-commands.ts";
import { Boards } from "../../tiles/boards/boards.ts";
import { Views } from "../../views/views.ts";
import { Webhooks } from "../../webhooks/webhooks.ts";
import type { AppDeps } from "../app-deps.ts";
import { limitBodyTime } from "../body-deadline.ts";
import { createApp } from "../create-app.ts";

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

export const ownerCredentials = { email: "Owner@example.com", password: "correct horse battery" };

export async function startTestServer(
  environment: Record<string, string> = {},
  overrides: Partial<AppDeps> = {},
  kind: DatabaseKind | undefined = databases[0],
  initialModel: Model = serviceDesk,
): Promise<TestServer> {
  if (!kind) throw new Error("There is no database to test on.");
  const own = await createMigrated(kind);
  const database = openDatabase({ connectionString: own.url, poolSize: 8, onError: () => {} });
  const config = readConfig(environment);
  const log: string[] = [];
  let model: Model = { version: 0, tables: [] };
  const refreshModel = async () => {
    model = (await loadModel(database)) ?? model;
  };
  const applyTemplate = async (template: Template) => {
    if (template === "service-desk") await installModel(database, initialModel, "system");
    await refreshModel();
  };
  const commands = createCommands({
    database,
    model: () => model,
    refreshModel,
    limits: config.limits,
    onCommit: () => {},
    onError: (error) => log.push(String(error)),
  });
  const auth = createAuth({
    db: database.kysely,
    limits: config.limits,
    secretKey: config.secretKey,
    applyTemplate,
  });
  const wallboards = new BoardCommands({
    database,
    boards: new Boards(database, (error) => log.push(String(error))),
    model: () => model,
    limits: config.limits,
  });
  const displays = createDisplays({
    db: database.kysely,
    limits: config.limits,
    requireBoards: (me, ids) => wallboards.requireForDisplay(me, ids),
    build: () => "the build",
    announce: auth.receiveRevocation,
    onReport: () => {},
  });
  auth.onRevoked(displays.onRevoked);
  const stopListening = listenForAccessChanges(database, auth.receiveRevocation);
  const deps: AppDeps = {
    config,
    auth,
    rates: createRateLimits(config.limits.RATE_WINDOW_MS),
    displays,
    commands,
    log: pino({ level: "debug" }, { write: (line: string) => log.push(line) }),
    model: () => model,
    models: createModels(database, config.limits, refreshModel),
    changeSets: new ChangeSets({
      database,
      model: () => model,
      limits: config.limits,
      commands,
      identify: auth.identify,
      onError: (error) => log.push(String(error)),
    }),
    wallboards,
    comments: new Comments({
      database,
      model: () => model,
      refreshModel,
      onChange: () => {},
      limits: config.limits,
    }),
    views: new Views({ database, model: () => model, refreshModel, limits: config.limits }),
    webhooks: new Webhooks({
      database,
      model: () => model,
      refreshModel,
      identify: auth.identify,
      box: createSecretBox(config.secretKey),
      allowPrivate: config.webhookAllowPrivate,
      onDelivery: () => {},
      limits: config.limits,
    }),
    system: (subject) =>
      readSystem(
        {
          ...{ database, model: () => model, version: "0.0.0", limits: config.limits },
          ...{ isBackupScheduled: false, messages: () => "alone", nodes: async () => [] },
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
      const id = await auth.setup.ensureOwner({ ...ownerCredentials, template });
      if (!id) throw new Error("There is an owner already.");
      return id;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      stopListening();
      await commands.close();
      await database.close();
      await own.drop();
    },
  };
}
