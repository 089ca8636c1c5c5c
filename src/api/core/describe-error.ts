import type { Context } from "./context.ts";

/** The parts of an error that a log may show. */
type ErrorDescription = {
  name: string;
  message: string;
  code?: string;
  stack?: string[];
  cause?: ErrorDescription;
};

/**
 * Turns anything thrown into plain facts for the log. A failed query's parameters are left out:
 * they hold password hashes and tokens.
 */
export const describeError = (error: unknown, depth = 0): ErrorDescription => {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error).slice(0, 500) };
  const code: unknown = Reflect.get(error, "code");
  return {
    name: error.name,
    message: withoutParameters(error.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(depth === 0 && error.stack ? { stack: framesOf(error.stack) } : {}),
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
};

// Drizzle's message is `Failed query: <sql>\nparams: <values>`.
const withoutParameters = (message: string): string => (message.split("\nparams: ")[0] ?? "").slice(0, 1_000);

const framesOf = (stack: string): string[] =>
  stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, 12);

/**
 * The pieces of a file while it is being sent. If they end early, the cause is only logged and a plain sentence is
 * thrown instead, because the client may show it.
 */
export async function* loggedPieces(ctx: Context, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    ctx.log.warn("an export ended early", { requestId: ctx.requestId, error: describeError(error) });
    throw new Error("the export could not be completed");
  }
}
