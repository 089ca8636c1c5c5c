import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { readCatalogue, type StoredVersion } from "./catalogue.ts";
import { verifyStored } from "./packages.ts";
import { adoptPublisher, updateSignature } from "./store.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/**
 * Verifies the stored versions that name a key which was unknown when they were uploaded and is trusted now, so that
 * their origin is shown. What they may do is determined at each start and doesn't depend on this.
 */
export const renewSignatures = async (
  services: Pick<Services, "db" | "plugins" | "objects">,
): Promise<void> => {
  const { db } = services;
  const keys = await readTrustedKeys(services, db);
  const trusted = new Set(keys.filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId));
  for (const { versions } of (await readCatalogue(db)).installed.values())
    for (const version of versions)
      if (trusted.has(version.signature.claimedKeyId ?? "")) await renew(services, version);
};

const renew = async (
  services: Pick<Services, "db" | "plugins" | "objects">,
  version: StoredVersion,
): Promise<void> => {
  try {
    const { signature } = await verifyStored(services, version);
    await updateSignature(services.db, { ...version, signature });
    await adoptPublisher(services.db, { ...version, signature });
  } catch (error) {
    // It is still shown as a claim, and enabling it reports what is wrong.
    if (!(error instanceof AppError)) throw error;
  }
};
