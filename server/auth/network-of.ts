import { isIPv6 } from "node:net";

const GROUPS_OF_A_NETWORK = 4;

/**
 * What a throttle counts as one address. A single IPv6 subscriber has a whole /64 and could use another
 * address each time; an IPv4 address counts as it is, also when written as IPv6.
 */
export function networkOf(ip: string): string {
  const plain = withoutPort(ip)
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "")
    .replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = plain.toLowerCase().split("::", 2);
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = plain.includes("::") ? 8 - front.length - back.length : 0;
  const groups = [...front, ...Array<string>(Math.max(zeros, 0)).fill("0"), ...back];
  const network = groups
    .slice(0, GROUPS_OF_A_NETWORK)
    .map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}

/** As proxies write an address with the port, which differs for each connection. */
function withoutPort(ip: string): string {
  return ip.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^\[(.+)\](:\d+)?$/, "$1");
}
