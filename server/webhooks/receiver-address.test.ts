import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./receiver-address.ts";
import { sendRequest } from "./send-request.ts";

const refused = {
  "this machine": ["127.0.0.1", "127.255.255.254", "0.0.0.0", "::1", "::", "[::1]"],
  "private networks": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd00::1"],
  "carriers' networks": ["100.64.0.1", "100.127.255.255"],
  "link-local and metadata services": [
    "169.254.169.254",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
  ],
  "IPv4 in IPv6": [
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:10.0.0.1",
    "0:0:0:0:0:ffff:7f00:1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
  ],
  "multicast and reserved": ["224.0.0.1", "255.255.255.255", "240.0.0.1", "ff02::1", "198.18.0.1"],
  documentation: ["192.0.2.1", "203.0.113.9", "2001:db8::1", "3fff::1"],
  "what is no address": ["", "example.com", "1.2.3", "0x7f000001"],
};

describe("addresses of receivers", () => {
  it.each(Object.entries(refused))("refuse %s", (_name, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it("accept the public internet", () => {
    const accepted = ["1.1.1.1", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700::1111"];
    expect(accepted.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe("a name", () => {
  const send = (resolve: unknown) =>
    sendRequest({
      url: "http://receiver.example:9/",
      headers: {},
      body: "{}",
      timeoutMs: 2_000,
      allowPrivate: false,
      resolve: resolve as Parameters<typeof sendRequest>[0]["resolve"],
    });

  it("is looked up once, by the connection itself: a second answer has nobody to reach", async () => {
    let asked = 0;
    const rebinding = (
      _name: string,
      _options: object,
      done: (e: null, a: LookupAddress[]) => void,
    ) => {
      asked += 1;
      done(null, [{ address: asked === 1 ? "10.0.0.1" : "127.0.0.1", family: 4 }]);
    };
    expect((await send(rebinding)).error).toBe("address_refused");
    expect(asked).toBe(1);
  });

  it("is refused if one of its addresses is private", async () => {
    const mixed = (_name: string, _options: object, done: (e: null, a: LookupAddress[]) => void) =>
      done(null, [
        { address: "1.1.1.1", family: 4 },
        { address: "::1", family: 6 },
      ]);
    expect((await send(mixed)).error).toBe("address_refused");
  });
});
