import pg from "pg";
import { embeddedDatabase } from "../../../../e2e/provision/databases.ts";
import { freePort } from "../../../../e2e/provision/free-port.ts";
import { tempFolder } from "../../../../e2e/provision/temp-folder.ts";
import { createStoreEnvironment } from "../../../store/testing/store-environment.ts";
import { findFaults } from "../doctor-command.ts";

export const secretKey = "kT3v9QmZ1xLw7RyB5nHc2JdF8sPgA4eU";

/** A sound installation, in which tests plant faults. Its role of Postgres is an ordinary one; `admin` is a superuser. */
export async function openDoctor() {
  // The role of the system Postgres is a superuser there, which is a finding of its own.
  const store = await createStoreEnvironment(embeddedDatabase);
  const admin = new pg.Client({ connectionString: store.adminUrl });
  await admin.connect();
  const [folder, port] = [await tempFolder(), await freePort()];
  /** An environment without a fault, but for what a test changes. */
  const environment = (changed: Record<string, string> = {}) => ({
    DATABASE_URL: store.url,
    HOST: "127.0.0.1",
    PORT: String(port),
    WATCHFLOOR_SECRET_KEY: secretKey,
    WATCHFLOOR_BACKUP_DIR: folder.path,
    ...changed,
  });
  return {
    ...{ store, admin, folder, port, environment },
    /** What is found with a planted fault, as `level check: message advice`. */
    async found(changed: Record<string, string> = {}): Promise<string[]> {
      const findings = await findFaults(environment(changed));
      const texts = findings.map(
        ({ check, level, message, advice }) => `${level} ${check}: ${message} ${advice}`,
      );
      // The Postgres of the tests runs without fsync, which is a fault, too. On a busy machine clocks seem to differ.
      const ignored = / = off: after a power failure| = off: an edit|^\w+ clock:/;
      return texts.filter((text) => !ignored.test(text));
    },
    async close(): Promise<void> {
      await admin.end();
      await store[Symbol.asyncDispose]();
      folder.drop();
    },
  };
}
