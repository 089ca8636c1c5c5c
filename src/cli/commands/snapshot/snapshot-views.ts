import type { MadeSnapshot } from "#api/modules/snapshots/contract.ts";
import type { View } from "#cli/operations/view.ts";
import { formatBytes } from "#cli/terminal/format.ts";

/** How the commands about snapshots show what is answered. */
export const snapshotViews = {
  "snapshot create": {
    text: ({ name, sizeBytes }) => `Created snapshot ${name} (${formatBytes(sizeBytes)})`,
  } satisfies View<MadeSnapshot>,
};
