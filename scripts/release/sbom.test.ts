import { describe, expect, test } from "bun:test";
import { takeIngredients } from "./ingredients.ts";
import { buildersAlone, type Part, readProduct, takeInventory } from "./inventory.ts";
import { readLock } from "./read-lock.ts";
import { sbomOf } from "./sbom.ts";
import { isTargetName, ownTarget } from "./targets.ts";

type Component = {
  type: string;
  "bom-ref": string;
  name: string;
  purl: string;
  licenses: object[];
  hashes: { alg: string; content: string }[];
};
type Bom = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };

const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
const part = (name: string, needs: string[] = [], isOwn = false): Part => ({
  ...{ name, version: "1.0.0", licence: "MIT", integrity, needs, isOwn },
});

test("the lock tells what each package needs, the copy below it before the one that all share", () => {
  const lock = readLock(`{ "packages": {
    "a": ["a@1.0.0", "", { "dependencies": { "b": "^2", "@s/c": "1" }, "peerDependencies": { "absent": "1" } }, "${integrity}"],
    "b": ["b@1.0.0", "", {}, "${integrity}"],
    "@s/c": ["@s/c@1.0.0", "", { "optionalDependencies": { "b": "1" } }, "${integrity}"],
    "a/b": ["b@2.0.0", "", { "dependencies": { "@s/c": "1" } }, "${integrity}"],
  } }`);
  expect([...lock].map(([id, { needs }]) => [id, [...needs]])).toEqual([
    ["a@1.0.0", ["b@2.0.0", "@s/c@1.0.0"]],
    ["b@1.0.0", []],
    ["@s/c@1.0.0", ["b@1.0.0"]],
    ["b@2.0.0", ["@s/c@1.0.0"]],
  ]);
});

describe("the bill of materials", () => {
  test("says what needs what: of packages that are inside, and the product what nothing else accounts for", () => {
    const parts = [part("a", ["b@1.0.0", "outside@1.0.0"], true), part("b"), part("alone")];
    const { dependencies }: Bom = JSON.parse(sbomOf({ product: readProduct(), parts, ingredients: [] }));
    const product = `${readProduct().name}@${readProduct().version}`;
    expect(dependencies).toEqual([
      { ref: product, dependsOn: ["a@1.0.0", "alone@1.0.0"] },
      { ref: "a@1.0.0", dependsOn: ["b@1.0.0"] },
      { ref: "b@1.0.0", dependsOn: [] },
      { ref: "alone@1.0.0", dependsOn: [] },
    ]);
  });

  test("lists runtime, database, interpreter, font and packages, each with licence and hash, and leads from the product to all of them", async () => {
    const contents = {
      product: readProduct(),
      parts: await takeInventory(),
      ingredients: takeIngredients([ownTarget()].filter(isTargetName)),
    };
    const text = sbomOf(contents);
    expect(sbomOf({ ...contents, parts: await takeInventory() })).toBe(text);
    const bom: Bom = JSON.parse(text);
    const named = (name: string) => bom.components.find((one) => one.name === name);
    const types = ["bun", "postgresql", "quickjs", "inter", "elysia"].map((name) => named(name)?.type);
    expect(types).toEqual(["platform", "application", "library", "file", "library"]);
    for (const { name, hashes } of bom.components)
      expect([name, hashes.map(({ alg, content }) => `${alg} ${content.length}`)]).toEqual([
        name,
        [expect.stringMatching(/^SHA-(?:256 64|512 128)$/)],
      ]);
    expect(bom.components.filter(({ licenses }) => licenses.length !== 1)).toEqual([]);
    const purls = bom.components.map(({ purl }) => decodeURIComponent(purl));
    const wanted = [
      ...Object.entries(contents.product.dependencies).filter(([name]) => !buildersAlone.has(name)),
      ["bun", Bun.version],
      ["react-dom", ""],
    ];
    const missing = wanted.filter(
      ([name, version]) => !purls.some((purl) => purl.startsWith(`pkg:npm/${name}@${version}`)),
    );
    expect(missing).toEqual([]);
    expect([...buildersAlone].filter((name) => named(name) !== undefined)).toEqual([]);
    const runtime = await Bun.file(process.execPath).bytes();
    expect(named("bun")?.hashes[0]?.content).toBe(
      new Bun.CryptoHasher("sha256").update(runtime).digest("hex"),
    );

    const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    expect(new Set(needs.keys()).size).toBe(bom.dependencies.length);
    // Grows while it is walked.
    const reached = new Set([bom.dependencies[0]?.ref ?? ""]);
    for (const ref of reached) for (const needed of needs.get(ref) ?? []) reached.add(needed);
    for (const { "bom-ref": ref } of bom.components) expect([ref, reached.has(ref)]).toEqual([ref, true]);
    const pglite = bom.dependencies.find(({ ref }) => ref.startsWith("@electric-sql/pglite@"));
    expect(pglite?.dependsOn).toEqual([expect.stringMatching(/^postgresql@/)]);
  }, 60_000);
});
