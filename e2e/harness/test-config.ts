import { type Config, readConfig } from "../../server/config/config.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";

/**
 * The limits among variables, by their own names: no operator can set them, and tests could not wait for some, or
 * reach others, as they are.
 */
export function testLimits(
  variables: Readonly<Record<string, string | undefined>>,
): Partial<Limits> {
  const given = Object.entries(variables).filter(([name]) => Object.hasOwn(defaultLimits, name));
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
}

/** The configuration of a server under test: settings by their variables, and limits by their own names. */
export function testConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(variables);
  return { ...config, limits: { ...config.limits, ...testLimits(variables) } };
}
