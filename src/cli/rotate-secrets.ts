import type { ApiAnswer } from "./api-calls.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";

type Slice = ApiAnswer<"POST /api/system/secrets/rotate">;

/** What a change of key came to, with the fingerprints of both keys. */
export type Rotation = Pick<Slice, "resealed" | "remaining" | "unreadable" | "isComplete"> &
  Pick<ApiAnswer<"GET /api/system/secrets">, "fingerprint" | "previousFingerprint">;

/** Calls slice after slice until everything was looked at; `onSlice` is told how far it has come. */
export const rotateSecrets = async (
  client: Client,
  onSlice: (sofar: Rotation) => void,
): Promise<Rotation> => {
  const { fingerprint, previousFingerprint, places } = await client.call("GET /api/system/secrets");
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
    const slice: Slice = await client.call("POST /api/system/secrets/rotate", {
      body: after === "" ? {} : { after },
    });
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
