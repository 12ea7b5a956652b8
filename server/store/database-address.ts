/**
 * Addresses of Postgres, as libpq reads them: `postgres://user@h1:5432,h2:5433/db?target_session_attrs=read-write`,
 * or `postgres:///db?host=h1,h2&port=5432,5433`. The driver reads neither.
 */

const parts = /^([a-z]+:\/\/)(?:([^@/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/** What `target_session_attrs` may say: each means a server that accepts changes, which is what we search in any case. */
const writable = new Set(["any", "read-write", "primary"]);

/** One address for each host, in their order, as the driver reads them. Throws if it is not an address. */
export function splitHosts(address: string): string[] {
  const [, scheme = "", user, authority = "", path = "", query = ""] = parts.exec(address) ?? [];
  const parameters = new URLSearchParams(query);
  if (!address.includes(",") && !parameters.has("target_session_attrs")) return [address];
  parameters.delete("target_session_attrs");
  const named = authority.split(",");
  const hosts = parameters.get("host")?.split(",");
  const ports = parameters.get("port")?.split(",");
  const count = Math.max(named.length, hosts?.length ?? 1);
  const isOne = (list: readonly string[] | undefined) => !list || list.length === 1;
  if (![named, hosts, ports].every((list) => isOne(list) || list?.length === count)) {
    throw new Error("the hosts and ports of an address are not as many");
  }
  return Array.from({ length: count }, (_, at) => {
    const of = new URLSearchParams(parameters);
    const pick = (list: readonly string[]) => (list.length === 1 ? list[0] : list[at]) ?? "";
    if (hosts) of.set("host", pick(hosts));
    if (ports) of.set("port", pick(ports));
    const credentials = user === undefined ? "" : `${user}@`;
    const rest = of.size > 0 ? `?${of}` : "";
    return `${scheme}${credentials}${pick(named)}${path}${rest}`;
  });
}

/** Whether the address asks for a server that accepts changes, or does not say. */
export function asksForWritable(address: string): boolean {
  const [, query = ""] = address.split("?");
  const asked = new URLSearchParams(query).get("target_session_attrs");
  return asked === null || writable.has(asked);
}

/** The address with a password, which need not be escaped; null if it names no host. */
export function addPassword(address: string, password: string): string | null {
  const [, scheme = "", user = "", authority = "", path = ""] = parts.exec(address) ?? [];
  if (authority === "") return null;
  const [name = ""] = user.split(":");
  const query = address.slice(address.indexOf("?") + 1);
  const rest = address.includes("?") ? `?${query}` : "";
  return `${scheme}${name}:${encodeURIComponent(password)}@${authority}${path}${rest}`;
}
