import type { RotatedSlice, SecretsStatus } from "#api/modules/secrets/contract.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** What a change of key came to, with the fingerprints of both keys. */
export type Rotation = Omit<RotatedSlice, "after"> &
  Pick<SecretsStatus, "fingerprint" | "previousFingerprint">;

/** Calls slice after slice until everything was looked at; `onSlice` is told how far it has come. */
export const rotateSecrets = async (
  client: Client,
  onSlice: (sofar: Rotation) => void,
): Promise<Rotation> => {
  const { secrets } = operationsOf(client);
  const { fingerprint, previousFingerprint, places } = (await secrets.status()).data;
  const remaining = places.reduce((sum, { previous }) => sum + previous, 0);
  const rotation: Rotation = {
    resealed: 0,
    remaining,
    unreadable: [],
    isComplete: false,
    fingerprint,
    previousFingerprint,
  };
  onSlice(rotation);
  for (let after: string | null = ""; ; ) {
    const slice: RotatedSlice = (await secrets.rotate(after === "" ? {} : { after })).data;
    rotation.resealed += slice.resealed;
    rotation.remaining = slice.remaining;
    rotation.unreadable.push(...slice.unreadable);
    rotation.isComplete = slice.isComplete;
    onSlice(rotation);
    if (slice.isComplete) return rotation;
    if (slice.after === null || slice.after === after)
      throw new CliFailure("INTERNAL", "the change of key does not go on");
    after = slice.after;
  }
};
