import { readPublicKey } from "../backend/licence/public-key.ts";
import type { Licence } from "../backend/licence/read-payload.ts";
import { generateIssuerKey, issueLicence } from "../scripts/issue.ts";

/** An issuer for tests. `issue` takes what differs from {@link sampleLicence}. */
export type TestIssuer = {
  publicKey: string;
  key: CryptoKey;
  privateKey: string;
  issue(change?: Partial<Licence>): Promise<string>;
};

/** A license that is valid through November 2027. */
export const sampleLicence: Licence = {
  id: "lic-1",
  owner: "Northwind Ltd",
  plan: "Business",
  issuedAt: "2026-11-01T00:00:00.000Z",
  expiresAt: "2027-12-01T00:00:00.000Z",
  graceDays: 14,
};

/** Creates an issuer with a new key pair. */
export const makeIssuer = async (): Promise<TestIssuer> => {
  const { privateKey, publicKey } = await generateIssuerKey();
  const read = await readPublicKey(publicKey);
  if ("problem" in read) throw new Error(read.problem);
  return {
    ...{ publicKey, privateKey, key: read.key },
    issue: (change = {}) => issueLicence({ ...sampleLicence, ...change }, privateKey),
  };
};
