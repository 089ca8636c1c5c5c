import type { SystemStatus } from "#api/modules/system/contract.ts";
import { openRunning } from "#cli/client.ts";
import type { Composition } from "#cli/composition.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { faultText } from "#cli/to-failure.ts";
import { type Check, warn } from "./check.ts";

/** What the running server said, or why it did not; `null` when none runs. */
export type AskedStatus = { status: SystemStatus } | { problem: string } | null;

/** Asks the running server over its control socket. */
export const askStatus = async (composition: Composition, isServerRunning: boolean): Promise<AskedStatus> => {
  if (!isServerRunning) return null;
  try {
    const client = await openRunning(composition, null);
    if (client === null) return { problem: "the server ended meanwhile" };
    return { status: (await operationsOf(client).system.status()).data };
  } catch (error) {
    return { problem: faultText(error) };
  }
};

/** The check that could not be made, as the server did not say. */
export const untold = (name: string, problem: string): Check =>
  warn(
    name,
    `the running server does not say: ${problem}`,
    "run this command again; the server's log says more",
  );
