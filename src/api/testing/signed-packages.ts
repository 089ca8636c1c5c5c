import { sign } from "node:crypto";
import type { TrustRules } from "#api/plugin-host/package/judge.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { packFolder, signPackage } from "#api/plugin-host/package/pack.ts";
import { readPackage } from "#api/plugin-host/package/read-package.ts";
import { unpackZip } from "#api/plugin-host/package/read-zip.ts";
import type { TrustedKey } from "#contract/plugins.ts";

/** The key of a publisher who is trusted unless a test says otherwise. */
export const publisher = generateKey();
/** The key of someone whom no one trusts. */
export const stranger = generateKey();

/** The publisher's entry in a trust store. */
export const trusted = (changes: Partial<TrustedKey> = {}): TrustedKey => ({
  keyId: publisher.keyId,
  publicKey: publisher.publicKey,
  label: "Ada's plugins",
  tier: "verified",
  names: ["*"],
  notBefore: null,
  notAfter: null,
  revokedAt: null,
  source: "store",
  addedBy: null,
  createdAt: null,
  ...changes,
});

/** What is trusted; the publisher alone unless told. */
export const rules = (changes: Partial<TrustRules> = {}): TrustRules => ({
  keys: [trusted()],
  allowUnsigned: true,
  allowNative: false,
  now: new Date("2026-06-01T00:00:00Z"),
  bundled: new Map(),
  pinnedKeyId: null,
  ...changes,
});

const bytes = (text: string) => new TextEncoder().encode(text);
/** The manifest of the packages here. */
export const manifest = { manifestVersion: 1, name: "visitor-notes", version: "1.2.3" };

/** A package without a signature; `changes` are made to its manifest. */
export const packed = (changes: Record<string, unknown> = {}): Uint8Array =>
  packFolder(
    new Map([
      ["plugin.json", bytes(JSON.stringify({ ...manifest, ...changes }))],
      ["backend/index.js", bytes("export default {}")],
      ["frontend/index.js", bytes("export default {}")],
    ]),
  );

/** The same with a signature. */
export const signed = (zip = packed(), { privateKey } = publisher): Promise<Uint8Array> =>
  signPackage(zip, { privateKey, publisher: "Ada", signedAt: "2026-05-01T00:00:00Z" });

/** A package with files put in place of others, or taken away. */
export const altered = async (
  zip: Uint8Array,
  changes: Record<string, string | null>,
): Promise<Uint8Array> => {
  const { files } = await unpackZip(zip);
  for (const [path, body] of Object.entries(changes))
    if (body === null) files.delete(path);
    else files.set(path, bytes(body));
  return packFolder(files);
};

/** The text of a file in a package. */
export const fileIn = async (zip: Uint8Array, path: string) =>
  new TextDecoder().decode((await unpackZip(zip)).files.get(path));

/** What the rules say of a package, on one level. */
export const judge = async (zip: Uint8Array, changes: Partial<TrustRules> = {}) => {
  const { signature, tier, problems, publisherChanged } = await readPackage(zip, { trust: rules(changes) });
  return { ...signature, tier, publisherChanged, problems: problems.map(({ code }) => code) };
};

/** A package with an integrity file of one's own, signed with the publisher's key. */
export const signedRaw = async (
  zip: Uint8Array,
  integrity: string,
  context = "atrium-plugin-v1\n",
): Promise<Uint8Array> => {
  const sig = sign(null, Buffer.from(context + integrity), publisher.privateKey).toString("base64");
  const signature = JSON.stringify({ alg: "ed25519", keyId: publisher.keyId, sig });
  return altered(zip, { "integrity.json": integrity, "signature.json": signature });
};
