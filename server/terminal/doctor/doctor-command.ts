import { type Config, ConfigError, readConfig } from "../../config/config.ts";
import { withStoredKey } from "../../config/secret-key.ts";
import { buildVersion } from "../../config/version.ts";
import { defineCommand } from "../command.ts";
import { checkDatabase } from "./check-database.ts";
import {
  checkBackupFolder,
  checkDataFolder,
  checkDisk,
  checkPort,
  checkPublicAddress,
} from "./check-machine.ts";
import { checkMail } from "./check-mail.ts";
import { checkRedis } from "./check-redis.ts";
import { checkNames, checkPublicUrl, checkSecretKey } from "./check-settings.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** `watchfloor doctor`: finds faults of an installation, and says what to do. It changes nothing. */

const usage = `watchfloor doctor [--json] [--mail ADDRESS]     finds faults of the installation, and says what to do

  --json            as JSON: {ok, version, findings: [{check, level, message, advice}]}
  --mail ADDRESS    also sends a test mail to this address

It reads the environment, the database, Redis and the disk as the server would, and writes nothing to them. Run it with
the server's environment, as the server's user, on its machine, whether the server runs or not: it starts the embedded
Postgres for a moment if nobody did. The exit status is 1 if it finds a fault, and 0 with warnings. docs/guides/doctor.md`;

/** Faults first, in the order of the checks. */
export async function findFaults(
  environment: Readonly<Record<string, string | undefined>>,
  mailTo?: string | undefined,
): Promise<Finding[]> {
  let config: Config;
  try {
    config = await withStoredKey(readConfig(environment));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "Correct the variable. docs/guides/configuration.md lists all of them.";
    return [findingsOf("settings").fault(error.message, advice)];
  }
  // Before the database: opening an embedded one corrects what is wrong with its folder.
  const ofMachine = [
    ...checkNames(environment),
    ...checkSecretKey(config),
    ...checkPublicUrl(config),
    ...(await checkPublicAddress(config)),
    ...(await checkPort(config)),
    ...(await checkDisk(config)),
    ...(await checkDataFolder(config)),
    ...(await checkBackupFolder(config)),
    ...(await checkMail(config, mailTo)),
  ];
  const database = await checkDatabase(config);
  const found = [
    ...ofMachine,
    ...database.findings,
    ...(await checkRedis(config, database.installation)),
  ];
  const rank = ({ level }: Finding) => (level === "fault" ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}

function print(findings: readonly Finding[]): void {
  for (const { check, level, message, advice } of findings) {
    console.log(
      `${level === "fault" ? "✗ fault  " : "! warning"}  ${check}: ${message}\n           ${advice}\n`,
    );
  }
  const count = (level: Finding["level"]) => findings.filter((one) => one.level === level).length;
  if (findings.length === 0) console.log("No fault was found.");
  else console.log(`${count("fault")} faults, ${count("warning")} warnings.`);
  console.log(`Watchfloor ${buildVersion}`);
}

export const command = defineCommand({
  usage,
  options: { json: { type: "boolean" }, mail: { type: "string" } },
  async run({ values }) {
    const findings = await findFaults(process.env, values.mail);
    const ok = findings.every(({ level }) => level !== "fault");
    if (values.json) console.log(JSON.stringify({ ok, version: buildVersion, findings }, null, 2));
    else print(findings);
    const isSent = values.mail !== undefined && findings.every(({ check }) => check !== "mail");
    if (isSent && !values.json) console.log(`A test mail was sent to ${values.mail}.`);
    return ok ? 0 : 1;
  },
});
