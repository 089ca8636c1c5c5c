import { featureClient } from "#app/ui";
import type { sampleNotes } from "./feature.ts";

/** The feature's operations, for its pages. */
export const { client, addressOf } = featureClient<typeof sampleNotes>("sample-notes");
