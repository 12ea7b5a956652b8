import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

const password = "correct horse battery";
const moduleUrl = new URL("password.ts", import.meta.url).href;

/** What a process prints that tests have not prepared: there a hash costs what it costs in production. */
const inProduction = (script: string) =>
  execFileSync(process.execPath, ["--input-type=module", "-e", script, password], {
    encoding: "utf8",
  });

it("hashes with argon2id at the cost that OWASP recommends, whatever the environment", () => {
  const script = `import { hashPassword } from ${JSON.stringify(moduleUrl)};
    process.stdout.write(await hashPassword(process.argv[1]));`;
  expect(inProduction(script)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it("accepts a hash of any cost, and finds that it is outdated", async () => {
  const cheap = await hashPassword(password);
  const script = `import { isOutdated, verifyPassword } from ${JSON.stringify(moduleUrl)};
    const stored = ${JSON.stringify(cheap)};
    process.stdout.write([await verifyPassword(process.argv[1], stored), isOutdated(stored)].join());`;
  expect(inProduction(script)).toBe("true,true");
  expect(await verifyPassword("another", cheap)).toBe(false);
});
