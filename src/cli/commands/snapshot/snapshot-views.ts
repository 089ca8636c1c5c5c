import type { MadeSnapshot } from "#api/modules/snapshots/contract.ts";
import { formatBytes } from "#cli/terminal/format.ts";
import type { View } from "../../operations/declared-command.ts";

/** How the commands about snapshots show what is answered. */
export const snapshotViews = {
  "snapshot create": {
    text: ({ name, sizeBytes }) => `Created snapshot ${name} (${formatBytes(sizeBytes)})`,
  } satisfies View<MadeSnapshot>,
};
