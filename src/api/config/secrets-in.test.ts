import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretsIn } from "./describe-config.ts";
import { variables } from "./variables.ts";

test("every secret variable's value is known, in each of its spellings, also when it cannot be used", () => {
  const names = Object.values(variables).filter(({ hides }) => hides === "all");
  const env = Object.fromEntries(names.map(({ name }) => [name, `canary-${name}`]));
  const found = secretsIn({
    ...env,
    DATABASE_URL: "postgres://app:p%40ssword1@db/atrium",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
    ATRIUM_TOKEN: "operator-token",
    ATRIUM_URL: "https://atrium.example",
  });
  const others = ["p%40ssword1", "p@ssword1", "Bearer%20collector", "Bearer collector", "operator-token"];
  for (const { name } of names)
    if (name !== "OTEL_EXPORTER_OTLP_HEADERS") expect(found).toContain(`canary-${name}`);
  for (const secret of others) expect(found).toContain(secret);
  expect(found).not.toContain("https://atrium.example");
});

test("the key file is a secret, and what is too short to guard anything is not struck", () => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-secrets-"));
  writeFileSync(join(folder, "app.key"), "key-of-the-file\n");
  expect(secretsIn({ DATA_DIR: folder, APP_SECRET: "a" })).toEqual(["key-of-the-file"]);
  rmSync(folder, { recursive: true });
  expect(secretsIn({ DATA_DIR: folder })).toEqual([]);
});
