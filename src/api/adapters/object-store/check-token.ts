import { createOutbound } from "#api/adapters/outbound/create-outbound.ts";
import { OutboundError } from "#api/adapters/outbound/outbound-error.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { isR2Endpoint } from "#contract/credential-rules.ts";
import type { TestStep } from "#contract/settings.ts";

const cloudflareApi = "https://api.cloudflare.com/client/v4";

export type TokenCheckOptions = {
  /** Where Cloudflare's API is. */
  apiUrl?: string;
  /** Whether an endpoint is one that Cloudflare's tokens are about. */
  isCloudflare?: (endpoint: string) => boolean;
  deadlineMs: number;
};

const name = "API token";

/**
 * Asks Cloudflare whether the API token is valid. Objects are stored without it, so nothing is worse than a warning. Never
 * throws.
 */
export const checkToken = async (
  { endpoint, token }: BucketTarget,
  { apiUrl = cloudflareApi, isCloudflare = isR2Endpoint, deadlineMs }: TokenCheckOptions,
): Promise<TestStep> => {
  if (!isCloudflare(endpoint))
    return { name, status: "skipped", message: "Only Cloudflare R2 has API tokens." };
  if (token === null)
    return { name, status: "skipped", message: "No API token is saved; objects need none." };
  const outbound = createOutbound({ deadlineMs, mostBytes: 64 * 1024 });
  try {
    const { status, text } = await outbound({
      url: `${apiUrl}/user/tokens/verify`,
      headers: { authorization: `Bearer ${token}` },
    });
    if (status === 200 && isActive(text))
      return { name, status: "passed", message: "Cloudflare says that the token is active." };
    return {
      name,
      status: "warning",
      message: "Cloudflare does not accept the token; objects work without it.",
      remedy: "Enter an API token that is active, or remove it.",
    };
  } catch (error) {
    const reason = error instanceof OutboundError ? error.message : "the call failed";
    return {
      name,
      status: "warning",
      message: `The token could not be checked: ${reason}.`,
      remedy: "Check whether this server reaches api.cloudflare.com.",
    };
  }
};

const isActive = (text: string): boolean => {
  try {
    const answer: unknown = JSON.parse(text);
    return Reflect.get(Object(Reflect.get(Object(answer), "result")), "status") === "active";
  } catch {
    // Not the answer of Cloudflare's API.
    return false;
  }
};
