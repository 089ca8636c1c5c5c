import { OutboundError } from "#api/adapters/outbound/outbound-error.ts";
import { AppError } from "#api/core/app-error.ts";
import { ProviderFault } from "./provider-fault.ts";

/**
 * A conversation with a provider, `limitMs` at most with all its calls. Rejects with `PROVIDER_UNAVAILABLE` whose cause
 * is a {@link ProviderFault} or an `OutboundError`.
 */
export const converse = async <T>(limitMs: number, talk: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort();
    reject(new OutboundError("slow"));
  }, limitMs);
  try {
    // Raced, because a call that several conversations share does not end with one of them.
    return await Promise.race([talk(over.signal), limit]);
  } catch (error) {
    throw new AppError("PROVIDER_UNAVAILABLE", undefined, {
      cause: isKnown(error) ? error : unforeseen(error),
    });
  } finally {
    clearTimeout(timer);
  }
};

const isKnown = (error: unknown): boolean => error instanceof ProviderFault || error instanceof OutboundError;

// Its message may hold what the provider sent.
const unforeseen = (error: unknown): ProviderFault =>
  new ProviderFault(`unforeseen: ${error instanceof Error ? error.name : typeof error}`);
