import type { ApiAnswer } from "#cli/api-calls.ts";
import { formatMinute } from "#cli/format.ts";
import { printable } from "#cli/output.ts";

type Proof = NonNullable<ApiAnswer<"GET /api/admin/backups/health">["proof"]>;

/** The newest trial restore, in words. */
export const proofText = ({ at, name, isSound }: Proof): string =>
  `last verified ${formatMinute(at)}: ${printable(name)}, ${isSound ? "sound" : "not sound"}`;
