import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { isTargetName, ownTarget } from "./compile-executable.ts";
import { billOf, listPackages, takeIngredients } from "./sbom.ts";

type Component = { name: string; type: string; purl: string; licenses: object[]; "bom-ref": string };
type Bom = {
  metadata: { component: Component };
  components: (Component & { hashes?: { content: string }[] })[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

const packages = await listPackages();
const ingredients = takeIngredients([ownTarget()].filter(isTargetName));

describe("the bill of materials", () => {
  test("lists runtime, database, interpreter, font and packages with license, is the same every time, and leads from the product to all of them", async () => {
    const text = await billOf(packages, ingredients);
    expect(await billOf(await listPackages(), ingredients)).toBe(text);
    const bom: Bom = JSON.parse(text);
    const { component: product } = bom.metadata;
    expect(product).toMatchObject({ type: "application", name: "atrium", version: packageJson.version });
    const named = (name: string) => bom.components.find((one) => one.name === name);
    const names = ["bun", "postgresql", "quickjs", "inter", "elysia", "react-dom", "tailwindcss"];
    expect(names.map((name) => named(name)?.type)).toEqual([
      ...["platform", "application", "library", "file"],
      ...["library", "library", "library"],
    ]);
    expect(bom.components.filter(({ licenses }) => licenses?.length !== 1)).toEqual([]);
    // No tool that only builds or checks is inside.
    expect(["vite", "typescript", "playwright-core"].map(named)).toEqual([undefined, undefined, undefined]);
    const runtime = await Bun.file(process.execPath).bytes();
    expect(named("bun")?.hashes?.[0]?.content).toBe(
      new Bun.CryptoHasher("sha256").update(runtime).digest("hex"),
    );

    const needs = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    // Grows while it is walked.
    const reached = new Set([product["bom-ref"]]);
    for (const ref of reached) for (const needed of needs.get(ref) ?? []) reached.add(needed);
    expect(bom.components.filter((one) => !reached.has(one["bom-ref"]))).toEqual([]);
    const pglite = bom.dependencies.find(({ ref }) => ref.startsWith("@electric-sql/pglite@"));
    expect(pglite?.dependsOn).toContainEqual(expect.stringMatching(/postgresql@/));
  }, 60_000);

  test("isn't given out when it breaks the standard's schema", async () => {
    const [first] = ingredients;
    if (first === undefined) throw new Error("there are no ingredients");
    await expect(billOf(packages, [{ ...first, type: "something" }])).rejects.toThrow(
      "bill of materials is invalid",
    );
  });
});
