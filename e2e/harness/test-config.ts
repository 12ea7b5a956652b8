import { type Config, readConfig } from "../../server/config/config.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";

/** A test takes longer than a user before a form: nobody in it is asked who they are, unless it is about that. */
const patience: Partial<Limits> = { RECENT_AUTHENTICATION_MS: 86_400_000 };

/**
 * For tests that count calls up to a limit, at any time of the day: a window of which the end is decades away. Windows begin at
 * multiples of their length, so one that is as long as the time since 1970 ends when twice as much has passed.
 */
export const endlessWindow = { RATE_WINDOW_MS: String(Date.now()) };

/**
 * The limits among variables, by their own names: no operator can set them, and tests could not wait for some, or
 * reach others, as they are.
 */
export function testLimits(
  variables: Readonly<Record<string, string | undefined>>,
): Partial<Limits> {
  const given = Object.entries(variables).filter(([name]) => Object.hasOwn(defaultLimits, name));
  const limits = Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
  return { ...patience, ...limits };
}

/** The configuration of a server under test: settings by their variables, and limits by their own names. */
export function testConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(variables);
  return { ...config, limits: { ...config.limits, ...testLimits(variables) } };
}
