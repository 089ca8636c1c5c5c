import { AppError } from "#api/core/app-error.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { PackageError } from "./package/package-error.ts";
import {
  isSignatureProblem,
  type ReadPackage,
  readPackage,
  type TrustRules,
} from "./package/read-package.ts";

/**
 * Reads a package that somebody brings. Throws `PAYLOAD_TOO_LARGE`, and `PLUGIN_INVALID` with one entry per problem: before
 * any other, that its name belongs to a plugin of the product whose content it does not have. Its `data` says of which plugin it is and how the signature stands where it is that which is wrong.
 */
export const readUpload = async (bytes: Uint8Array, trust: TrustRules): Promise<VerifiedPackage> => {
  const read = await readPackage(bytes, { trust }).catch(refuse);
  const { manifest, sha256, sizeBytes, files, signature, tier, problems } = read;
  const shipped = trust.bundled(manifest.name);
  const isReserved = shipped !== null && tier !== "bundled";
  // What is stored already may be an edited copy from before such names were kept for their plugins.
  if (isReserved && (trust.storedAt ?? null) === null) {
    const message = pluginTexts.nameTaken(manifest.name);
    throw new AppError("PLUGIN_INVALID", message, { errors: [{ path: "name", message }] });
  }
  const forged = problems.find(isSignatureProblem);
  if (forged !== undefined)
    throw new AppError("PLUGIN_INVALID", forged.message, {
      errors: problems.map(({ message }) => ({ path: "plugin", message })),
      data: { signature: signature.state, plugin: manifest.name },
    });
  const distrust = problems[0]?.message ?? null;
  // What this release ships is named first.
  const isFormer = tier === "bundled" && shipped?.[0] !== read.contentSha256;
  return { manifest, sha256, sizeBytes, files: files.size, signature, tier, isFormer, distrust };
};

const refuse = (error: unknown): Promise<ReadPackage> => {
  if (!(error instanceof PackageError)) throw error;
  if (error.code === "too_large") throw new AppError("PAYLOAD_TOO_LARGE", error.message, { cause: error });
  const errors = error.problems.length > 0 ? error.problems : [{ path: "plugin", message: error.message }];
  throw new AppError("PLUGIN_INVALID", error.message, { cause: error, errors });
};
