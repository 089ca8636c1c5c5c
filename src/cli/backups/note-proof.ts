import { basename } from "node:path";
import type { VerifyReport } from "#api/backups/operator-backups.ts";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import { toFailure } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import { printable } from "#cli/terminal/output.ts";

/**
 * Has the running server record the result of a trial restore. Without one nothing is recorded: to open an
 * installation may change its database, which was not requested.
 */
export const noteProof = async (
  { composition, output, args }: Pick<Invocation, "composition" | "output" | "args">,
  { manifest, isSound }: VerifyReport,
): Promise<void> => {
  const [file = "-"] = args;
  const found = {
    name: file === "-" ? "standard input" : basename(file).slice(0, 200),
    madeAt: manifest.createdAt,
    keyFingerprint: manifest.keyFingerprint,
    isSound,
  };
  try {
    const client = await openRunning(composition, null);
    if (client !== null) await operationsOf(client).backups.prove(found).finally(client.close);
  } catch (error) {
    // What was found counts without it.
    output.note(`the server could not record this verification: ${printable(toFailure(error).message)}`);
  }
};
