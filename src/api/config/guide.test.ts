import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { docBlocks } from "../../../tests/driver/doc-blocks.ts";
import { readConfig } from "../config.ts";
import { providerVariables } from "./oidc-providers.ts";
import { variables } from "./variables.ts";

const sourceFolder = join(import.meta.dir, "../..");
const guide = await Bun.file(new URL("../../../docs/configuration.md", import.meta.url)).text();
const rows = new Map(
  [...guide.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name, text]) => [name, text]),
);

// The guide describes one provider for all.
const described = [...Object.values(variables), ...Object.values(providerVariables("acme"))];

/** The product's own source, without the part that reads the environment. */
const product = [...new Bun.Glob("{api,cli}/**/*.ts").scanSync(sourceFolder)].filter(
  (path) => !/\.test\.ts$|^(?:api|cli)\/testing\/|^api\/config(?:\/|\.ts)/.test(path),
);

test("docs/configuration.md marks a variable as reserved exactly while no part of the product uses it", async () => {
  const texts = await Promise.all(product.map((path) => Bun.file(join(sourceFolder, path)).text()));
  const isUsed = (key: string) => {
    // A provider's id and secret become one field.
    const field = key.replace(/Client(?:Id|Secret)$/, "");
    return texts.some((text) => new RegExp(`\\b${field}\\b`).test(text));
  };
  const unused = Object.entries(variables).flatMap(([key, { name }]) => (isUsed(key) ? [] : [name]));
  const marked = [...guide.matchAll(/^\| `([A-Z0-9_]+)` \|.*\| \*Reserved\.\*/gm)].map(
    (match) => match[1] ?? "",
  );
  expect(marked.sort()).toEqual(unused.sort());
});

test("docs/configuration.md has a row for every variable, and for no other", () => {
  expect([...rows.keys()].sort()).toEqual(described.map(({ name }) => name).sort());
});

test("docs/configuration.md names every default as the program does", () => {
  for (const { name, whenUnset } of described) {
    expect([name, rows.get(name)?.replaceAll("`", "")]).toEqual([name, whenUnset]);
  }
});

test("the environment that docs/operating/replicas.md gives each replica can be used", () => {
  const [shown] = docBlocks("docs/operating/replicas.md", "");
  // Marks are in the place of secrets.
  const lines = shown?.code.replaceAll("…", randomBytes(36).toString("hex")).matchAll(/^([A-Z_]+)=(.*)$/gm);
  const env = Object.fromEntries([...(lines ?? [])].map(([, name, value]) => [name, value]));
  expect(readConfig(env, false)).toMatchObject({ port: 3000, allowedHosts: ["10.0.0.11", "10.0.0.12"] });
});
