import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

/** An address that webhooks may not be sent to. */
export class AddressRefused extends Error {}

/**
 * What is not on the public internet: this machine, private networks, carriers' (CGNAT), link-local with the metadata
 * services of clouds, multicast, reserved, and the ranges that embed IPv4 addresses in IPv6. The addresses of
 * `::ffff:0:0/96` are compared as the IPv4 addresses that they mean.
 */
const refused = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's own services of a machine, which answer at a public address
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  refused.addSubnet(network, bits, "ipv4");
}
/** The only unicast range in use; all others are local, reserved or translate to IPv4. */
const publicIPv6 = new BlockList();
publicIPv6.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  // Teredo, ORCHID and other special purposes; documentation; 6to4; documentation
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  refused.addSubnet(network, bits, "ipv6");
}

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$|%.*$/g, "");
  if (isIP(plain) === 0) return false;
  if (!isIPv6(plain)) return !refused.check(plain, "ipv4");
  const mapped = mappedIPv4(plain);
  if (mapped) return !refused.check(mapped, "ipv4");
  return publicIPv6.check(plain, "ipv6") && !refused.check(plain, "ipv6");
}

/** The IPv4 address that an IPv6 address means, by the form that URLs are normalised to. */
function mappedIPv4(address: string): string | null {
  const canonical = new URL(`http://[${address}]`).hostname;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return null;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join(".");
}

/**
 * Resolves a name for a connection that is then made to exactly these addresses: there is no second look-up that could
 * answer otherwise. If one of them is not public, none is used. Names that are addresses are not looked up at all, and
 * must be checked before.
 */
export function publicLookup(resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "");
      const found: LookupAddress[] = addresses;
      const [first] = found;
      if (!first || !found.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressRefused(), "");
      }
      if (options.all) return callback(null, found);
      return callback(null, first.address, first.family);
    });
  };
}
