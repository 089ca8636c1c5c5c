import type { MadeSnapshot } from "#api/modules/snapshots/contract.ts";
import { formatBytes } from "#cli/format.ts";
import type { View } from "./view.ts";

/** How the commands about snapshots show what is answered. */
export const snapshotViews = {
  "snapshot create": {
    text: ({ name, sizeBytes }) => `Made snapshot ${name} (${formatBytes(sizeBytes)})`,
  } satisfies View<MadeSnapshot>,
};
