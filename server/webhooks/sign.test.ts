import { expect, it } from "vitest";
import { createSecret, signedHeaders } from "./sign.ts";

// The example of the specification and of its reference libraries.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const message = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
};
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

it("signs as the published test vector", () => {
  expect(signedHeaders([secret], message)).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": signature,
  });
});

it("signs by two secrets while one replaces the other", () => {
  const both = signedHeaders([createSecret(), secret], message)["webhook-signature"]?.split(" ");
  expect(both).toHaveLength(2);
  expect(both?.[1]).toBe(signature);
});

it("makes secrets of 256 bits", () => {
  expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
