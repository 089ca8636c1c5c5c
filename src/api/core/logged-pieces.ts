import type { Context } from "./context.ts";
import { describeError } from "./describe-error.ts";

/**
 * The pieces of a file that is on its way. When they end early, the cause goes to the log alone and a plain sentence is
 * thrown in its place: whoever carries the file prints what it is given.
 */
export async function* loggedPieces(ctx: Context, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    ctx.log.warn("an export ended early", { requestId: ctx.requestId, error: describeError(error) });
    throw new Error("the export could not be completed");
  }
}
