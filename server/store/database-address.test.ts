import { expect, it } from "vitest";
import { addPassword, asksForWritable, splitHosts } from "./database-address.ts";

it.each([
  ["postgres://a:b@h/db", ["postgres://a:b@h/db"]],
  ["postgresql:///db?host=%2Frun", ["postgresql:///db?host=%2Frun"]],
  [
    "postgres://a:b@h1:1,h2:2/db?target_session_attrs=read-write",
    ["postgres://a:b@h1:1/db", "postgres://a:b@h2:2/db"],
  ],
  [
    "postgres://h1,[::1]:2/db?sslmode=require",
    ["postgres://h1/db?sslmode=require", "postgres://[::1]:2/db?sslmode=require"],
  ],
  [
    "postgres://a@/db?host=h1,h2&port=1,2",
    ["postgres://a@/db?host=h1&port=1", "postgres://a@/db?host=h2&port=2"],
  ],
  [
    "postgres:///db?host=h1,h2&port=1",
    ["postgres:///db?host=h1&port=1", "postgres:///db?host=h2&port=1"],
  ],
])("reads %s as libpq does", (address, hosts) => {
  expect(splitHosts(address)).toEqual(hosts);
});

it("refuses a list of hosts with another number of ports", () => {
  expect(() => splitHosts("postgres:///db?host=h1,h2,h3&port=1,2")).toThrow(/not as many/);
});

it("adds a password to an address with several hosts", () => {
  expect(addPassword("postgres://a@h1:1,h2:2/db?sslmode=require", "p@ss:/?")).toBe(
    "postgres://a:p%40ss%3A%2F%3F@h1:1,h2:2/db?sslmode=require",
  );
  expect(addPassword("postgres:///db?host=/run", "x")).toBeNull();
});

it("accepts no address that asks for a standby", () => {
  const asks = (value: string) => asksForWritable(`postgres://h/db?target_session_attrs=${value}`);
  expect(["read-write", "primary", "any", "standby", "read-only"].filter(asks)).toEqual([
    "read-write",
    "primary",
    "any",
  ]);
});
