import { expect, it } from "vitest";
import { outsideAddress } from "./outside-address.ts";

it("opens web addresses, mails and calls", () => {
  expect(outsideAddress("url", "HTTPS://example.com/a b")).toBe("HTTPS://example.com/a b");
  expect(outsideAddress("email", "ann@example.com")).toBe("mailto:ann@example.com");
  expect(outsideAddress("phone", "+49 30 123-45")).toBe("tel:+493012345");
  expect(outsideAddress("phone", "030123456x12")).toBe("tel:030123456;ext=12");
});

it("opens nothing else, whatever another program wrote", () => {
  for (const value of [
    "javascript:alert(1)",
    " https://a.example",
    "data:text/html,x",
    "//a.example",
  ])
    expect(outsideAddress("url", value)).toBeNull();
  expect(outsideAddress("email", "a@b.example?bcc=c@d.example")).toBeNull();
  expect(outsideAddress("phone", "javascript:1")).toBeNull();
  expect(outsideAddress("text", "https://example.com")).toBeNull();
});
