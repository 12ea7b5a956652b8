import { englishText } from "../../../shared/error-texts/explain.ts";
import { type Provider, ProviderClient } from "../../auth/provider-client.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import type { Config } from "../../config/config.ts";
import type { Db } from "../../store/database.ts";
import { listProviders } from "../../store/users/identity-providers.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** A token is refused where the clocks differ by more than a minute. */
const CLOCK_FAULT_S = 60;
const CLOCK_WARNING_S = 20;

/** Faults of company accounts: each provider is read, as at a sign-in. Its secret is not used. */
export async function checkProviders(
  { publicUrl, secretKey, provider }: Pick<Config, "publicUrl" | "secretKey" | "provider">,
  db: Db,
): Promise<Finding[]> {
  const { fault } = findingsOf("providers");
  const rows = await listProviders(db);
  if (rows.length === 0 && !provider) return [];
  if (publicUrl === undefined) {
    const names = rows.map(({ name }) => name).join(", ") || provider?.name;
    const message = `PUBLIC_URL is not set: nobody can sign in by ${names}.`;
    return [fault(message, "Set PUBLIC_URL to the address that users open.")];
  }
  const box = createSecretBox(secretKey);
  const found = await Promise.all(
    rows.map(async (row) => {
      const secret = box.decrypt(row.client_secret, `provider:${row.id}`);
      if (secret !== null) return checkProvider({ ...row, secret });
      const message = `The client secret of ${row.name} can't be decrypted: nobody can sign in by it.`;
      const advice = "Set the former WATCHFLOOR_SECRET_KEY, or enter the secret again.";
      return [fault(message, advice)];
    }),
  );
  return found.flat();
}

async function checkProvider(provider: Provider): Promise<Finding[]> {
  const { fault, warning } = findingsOf("providers");
  const { name, issuer } = provider;
  const { problem, aheadS } = await new ProviderClient().examine(provider);
  if (problem) {
    const message = `Nobody can sign in by ${name} (${issuer}): ${englishText(problem)}`;
    return [fault(message, "Open ISSUER/.well-known/openid-configuration from this machine.")];
  }
  if (aheadS === null || Math.abs(aheadS) < CLOCK_WARNING_S) return [];
  const isFault = Math.abs(aheadS) >= CLOCK_FAULT_S;
  const how = `The clock of ${name} is ${Math.abs(aheadS)} s ${aheadS > 0 ? "ahead of" : "behind"} this machine's`;
  const message = `${how}: ${isFault ? "sign-ins are refused" : "beyond a minute, sign-ins are refused"}.`;
  return [(isFault ? fault : warning)(message, "Synchronise both clocks (NTP).")];
}
