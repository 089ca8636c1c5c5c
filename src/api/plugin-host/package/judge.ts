import type { Manifest } from "#contract/plugin-manifest.ts";
import { trustTexts } from "#contract/plugin-texts.ts";
import type { PluginSignature, PluginTier, TrustedKey } from "#contract/plugins.ts";
import {
  type Integrity,
  integrityFile,
  isSignedBy,
  type PackageFile,
  readIntegrity,
  readSignature,
  signatureFile,
} from "./content-hash.ts";
import { readPublicKey } from "./keys.ts";

/** Hashes of the contents of plugins that are part of the executable, by name: now, then in earlier releases. */
export type BundledContents = ReadonlyMap<string, readonly string[]>;

/** What is trusted on this server. */
export type TrustRules = {
  keys: readonly TrustedKey[];
  /** Whether admins can consent to packages without a trusted signature. */
  allowUnsigned: boolean;
  /** Whether keys of tier `native` give plugins the right to run inside the server. */
  allowNative: boolean;
  /** A key must be valid now, or have been when the package was stored here: its expiry stops nothing. */
  now: Date;
  /** `null` for a package that is not stored yet. */
  storedAt?: Date | null;
  /** Hashes of the contents of plugins that are or were part of the product, by name. */
  bundled: BundledContents;
  /** The names of the product's own features, which no plugin can have that isn't stored yet. */
  features?: readonly string[];
  /** The key that signed the plugin when it was first installed; `null` if none did, or for a new plugin. */
  pinnedKeyId: string | null;
};

/** Why a readable package may be neither installed nor started. */
export type PackageProblem = { code: PackageProblemCode; message: string };
type PackageProblemCode = keyof typeof trustTexts;

/** The result of the rules for a package. */
export type Verdict = {
  signature: PluginSignature;
  tier: PluginTier;
  /** Whether its publisher differs from the pinned one. */
  publisherChanged: boolean;
  problems: PackageProblem[];
};

/** A package that was read, before its origin is checked. */
export type Evidence = {
  manifest: Manifest;
  files: ReadonlyMap<string, Uint8Array>;
  /** Its files without integrity and signature. */
  list: readonly PackageFile[];
  contentSha256: string;
};

/** Whether a problem is about signatures, and not about what the server allows. */
export const isSignatureProblem = ({ code }: PackageProblem): boolean => !ofRules.includes(code);

const ofRules: readonly PackageProblemCode[] = ["unsigned_refused", "native_refused", "page_refused"];

/**
 * Determines how far a package is trusted. Nothing that a key is claimed to have signed is parsed before it is
 * verified.
 */
export const judgePackage = (evidence: Evidence, trust: TrustRules): Verdict => {
  const { manifest, contentSha256 } = evidence;
  const isBundled = trust.bundled.get(manifest.name)?.includes(contentSha256) === true;
  const origin = isBundled ? bundledOrigin : originOf(evidence, trust);
  const { signature, tier } = origin;
  // The permissions of a package that is refused anyway don't matter.
  const problems =
    origin.problems.length > 0 ? origin.problems : rightProblems(manifest, { signature, tier, trust });
  return {
    signature,
    tier,
    publisherChanged: !isBundled && trust.pinnedKeyId !== null && signature.keyId !== trust.pinnedKeyId,
    problems: problems.map(problemOf),
  };
};

const problemOf = (code: PackageProblemCode): PackageProblem => ({ code, message: trustTexts[code] });

type Origin = { signature: PluginSignature; tier: PluginTier; problems: PackageProblemCode[] };

const unsigned: PluginSignature = { state: "unsigned", keyId: null, publisher: null, signedAt: null };

const bundledOrigin: Origin = { signature: { ...unsigned, state: "bundled" }, tier: "bundled", problems: [] };

const refused = (
  state: "modified" | "invalid" | "revoked",
  code: PackageProblemCode,
  known: Partial<PluginSignature> = {},
): Origin => ({ signature: { ...unsigned, ...known, state }, tier: "unsigned", problems: [code] });

const originOf = (evidence: Evidence, trust: TrustRules): Origin => {
  const { files } = evidence;
  const raw = files.get(integrityFile);
  if (raw === undefined && !files.has(signatureFile))
    return { signature: unsigned, tier: "unsigned", problems: [] };
  // One without the other is left over from a signed package.
  if (raw === undefined || !files.has(signatureFile)) return refused("modified", "modified");
  const signature = readSignature(files);
  if (signature === null) return refused("invalid", "invalid");
  const { keyId, sig } = signature;
  const entries = trust.keys.filter((entry) => isEntryOf(entry, keyId));
  const [first] = entries;
  if (first === undefined) {
    // Its origin is unknown, but it must still match its own signature files.
    return isListed(evidence, readIntegrity(files))
      ? { signature: { ...unsigned, claimedKeyId: keyId }, tier: "unsigned", problems: [] }
      : refused("modified", "modified", { claimedKeyId: keyId });
  }
  const publisher = first.label;
  const claimed = { claimedKeyId: keyId, publisher };
  if (entries.some(({ revokedAt }) => revokedAt !== null)) return refused("revoked", "revoked", claimed);
  const { key } = readPublicKey(first.publicKey);
  if (!isSignedBy(raw, { key, sig })) return refused("invalid", "invalid", claimed);
  const known = { keyId, publisher };
  const integrity = readIntegrity(files);
  if (integrity === null || !isListed(evidence, integrity)) return refused("modified", "modified", known);
  return signedOrigin({ evidence, trust, entries, keyId, integrity });
};

/** Whether an entry of the trust store is for exactly this key, whatever id it claims. */
const isEntryOf = ({ publicKey }: TrustedKey, keyId: string): boolean => {
  try {
    return readPublicKey(publicKey).keyId === keyId;
  } catch {
    // A key that would be refused today is no longer trusted.
    return false;
  }
};

const signedOrigin = ({
  evidence,
  trust,
  entries,
  keyId,
  integrity,
}: {
  evidence: Evidence;
  trust: TrustRules;
  entries: readonly TrustedKey[];
  keyId: string;
  integrity: Integrity;
}): Origin => {
  const { name } = evidence.manifest;
  const forName = entries.filter(({ names }) => names.some((pattern) => matchesName(pattern, name)));
  const valid = forName.filter((entry) => isValidFor(entry, trust));
  const isNative = trust.allowNative && valid.some(({ tier }) => tier === "native");
  const entry = valid.find(({ tier }) => isNative === (tier === "native")) ?? valid[0] ?? entries[0];
  const known = { keyId, publisher: entry?.label ?? null, signedAt: integrity.signedAt };
  if (forName.length === 0) return refused("invalid", "not_for_name", known);
  if (valid.length === 0) return refused("invalid", "expired", known);
  return {
    signature: { ...known, state: "signed" },
    tier: isNative ? "native" : "verified",
    problems: [],
  };
};

/**
 * A package that was stored while a key was valid stays valid: by this server's clock, not the one that the publisher
 * claims.
 */
const isValidFor = (entry: TrustedKey, { now, storedAt = null }: TrustRules): boolean =>
  isValidAt(entry, now) || (storedAt !== null && isValidAt(entry, storedAt));

const isValidAt = ({ notBefore, notAfter }: TrustedKey, at: Date): boolean =>
  (notBefore === null || Date.parse(notBefore) <= at.getTime()) &&
  (notAfter === null || Date.parse(notAfter) >= at.getTime());

/** Whether a name matches a pattern of the trust store, in which `*` stands for any text. */
export const matchesName = (pattern: string, name: string): boolean => {
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === name;
  if (!name.startsWith(start) || !name.endsWith(end) || name.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - end.length) return false;
    at = found + part.length;
  }
  return true;
};

/** Whether an `integrity.json` is about exactly this package: its name, its version and all of its files. */
const isListed = ({ manifest, list }: Evidence, integrity: Integrity | null): boolean => {
  if (integrity?.name !== manifest.name || integrity.version !== manifest.version) return false;
  const listed = new Map(integrity.files.map((file) => [file.path, file]));
  // The same number, and each unchanged: so that none is listed twice.
  return (
    integrity.files.length === list.length &&
    list.every(({ path, size, sha256 }) => {
      const file = listed.get(path);
      return file?.size === size && file.sha256 === sha256;
    })
  );
};

/** What the manifest requests and its tier doesn't allow. */
const rightProblems = (
  { backend, frontend, permissions }: Manifest,
  { signature, tier, trust }: { signature: PluginSignature; tier: PluginTier; trust: TrustRules },
): PackageProblemCode[] => {
  const wantsNative = backend?.runtime === "native" || permissions.some(({ name }) => name === "native");
  const inWindow = ["ui.native", "ui.site"];
  const wantsPage =
    frontend?.mode === "native" ||
    typeof frontend?.site === "string" ||
    permissions.some(({ name }) => inWindow.includes(name));
  const isTrusted = tier !== "unsigned";
  return [
    ...(signature.state === "unsigned" && !trust.allowUnsigned ? (["unsigned_refused"] as const) : []),
    ...(wantsNative && tier !== "native" && tier !== "bundled" ? (["native_refused"] as const) : []),
    ...(wantsPage && !isTrusted ? (["page_refused"] as const) : []),
  ];
};
