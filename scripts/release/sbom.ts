import type { Ingredient } from "./ingredients.ts";
import type { Part, Product } from "./inventory.ts";

/** All that is inside of the product. */
export type Contents = { product: Product; parts: readonly Part[]; ingredients: readonly Ingredient[] };

/**
 * The software bill of materials as CycloneDX 1.6 in JSON, with what needs what. Its serial number follows from what it
 * lists, and it has no time: the same product makes the same bytes.
 */
export const sbomOf = ({ product, parts, ingredients }: Contents): string => {
  const root = `${product.name}@${product.version}`;
  const components = [...ingredients.map(foreign), ...parts.map(library)];
  const dependencies = dependenciesOf(root, { parts, ingredients });
  const digest = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([root, components, dependencies]))
    .digest("hex");
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name: product.name,
        version: product.version,
        licenses: licencesOf(product.license),
      },
    },
    components,
    dependencies,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
};

const foreign = (ingredient: Ingredient) => ({
  type: ingredient.type,
  "bom-ref": refOf(ingredient),
  name: ingredient.name,
  version: ingredient.version,
  description: ingredient.description,
  hashes: [{ alg: "SHA-256", content: ingredient.sha256 }],
  licenses: licencesOf(ingredient.licence),
  purl: ingredient.purl,
});

const library = (part: Part) => ({
  type: "library",
  "bom-ref": refOf(part),
  ...nameOf(part.name),
  version: part.version,
  hashes: [
    {
      alg: "SHA-512",
      content: Buffer.from(part.integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
    },
  ],
  licenses: licencesOf(part.licence),
  purl: `pkg:npm/${part.name.replace("@", "%40")}@${part.version}`,
});

/** The product's own needs first, among them what no other part accounts for; then each part's. */
const dependenciesOf = (root: string, { parts, ingredients }: Omit<Contents, "product">) => {
  const inside = new Set(parts.map(refOf));
  const rows = parts.map((part) => ({
    ref: refOf(part),
    dependsOn: [
      ...part.needs.filter((ref) => inside.has(ref)),
      ...ingredients.filter(({ within }) => within === part.name).map(refOf),
    ].sort(),
  }));
  const accounted = new Set(rows.flatMap(({ dependsOn }) => dependsOn));
  const own = [
    ...ingredients.map(refOf).filter((ref) => !accounted.has(ref)),
    ...parts.filter((part) => part.isOwn || !accounted.has(refOf(part))).map(refOf),
  ];
  const leaves = ingredients.map((ingredient) => ({ ref: refOf(ingredient), dependsOn: [] }));
  return [{ ref: root, dependsOn: own }, ...leaves, ...rows];
};

const refOf = (one: { name: string; version: string; machine?: string }): string =>
  `${one.name}@${one.version}${one.machine === undefined ? "" : `-${one.machine}`}`;

const nameOf = (name: string) => {
  const [group, own] = name.split("/");
  return own === undefined ? { name } : { group, name: own };
};

const licencesOf = (licence: string) =>
  / (?:AND|OR|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];

/** The first half of a hash, marked as a UUID of version 8: one that its maker has composed. */
const uuidOf = (hex: string): string =>
  [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
