import { packFolder, signPackage } from "#api/plugin-host/package/pack.ts";

/** What a package of a test is made of; the rest is made up. */
export type TestPackage = {
  name?: string;
  version?: string;
  backend?: string;
  /** Fields of the manifest. */
  manifest?: Record<string, unknown>;
  /** Further files. */
  files?: Record<string, string>;
  /** A private key to sign it with. */
  privateKey?: string;
};

/** A backend that does nothing. */
const idleBackend = (name: string, version: string): string =>
  `export default { name: ${JSON.stringify(name)}, version: ${JSON.stringify(version)}, setup() {} };`;

/** Packs a plugin as an author would. */
export const packPlugin = async ({
  name = "visitor-notes",
  version = "1.0.0",
  backend = idleBackend(name, version),
  manifest = {},
  files = {},
  privateKey,
}: TestPackage = {}): Promise<Uint8Array> => {
  const about = {
    manifestVersion: 1,
    ...{ name, version, title: "Visitor notes", description: "Notes about visitors", type: "Other" },
    backend: { entry: "backend/index.js", runtime: "sandbox" },
    ...manifest,
  };
  const encoder = new TextEncoder();
  const contents = { "plugin.json": JSON.stringify(about), "backend/index.js": backend, ...files };
  const zip = packFolder(
    new Map(Object.entries(contents).map(([path, text]) => [path, encoder.encode(text)])),
  );
  if (privateKey === undefined) return zip;
  return signPackage(zip, { privateKey, publisher: "Tests", signedAt: "2026-01-01T00:00:00.000Z" });
};
