import { eq } from "drizzle-orm";
import { apiTokens } from "#api/db/schema.ts";
import { createToken } from "#api/modules/tokens/change-tokens.ts";
import type { CreateTokenInput, NewApiToken } from "#api/modules/tokens/contract.ts";
import type { User } from "#contract/users.ts";
import type { TestHost } from "./host.ts";

/** Makes calls with an API token, as scripts do: no cookie, no origin. */
export type TokenClient = {
  made: NewApiToken;
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { peer?: string; headers?: Record<string, string> },
  ): Promise<Response>;
};

let tokens = 0;

/** A client with a new token, `owner`'s or the operator's; it may do everything unless told otherwise. */
export const newTokenClient = async (
  host: TestHost,
  { owner = null, ...input }: Partial<CreateTokenInput> & { owner?: User | null } = {},
): Promise<TokenClient> => {
  tokens += 1;
  const made = await createToken(
    { ...host.services, requestId: "test", ip: "127.0.0.1", userAgent: null, actor: { kind: "operator" } },
    { name: `token ${tokens}`, scopes: ["*"], expiresAt: null, ...input },
  );
  if (owner === null) return clientOf(host, made);
  await host.db.update(apiTokens).set({ createdBy: owner.id }).where(eq(apiTokens.id, made.id));
  const { id, name, email } = owner;
  return clientOf(host, { ...made, owner: { id, name, email, isActive: true } });
};

const clientOf = (host: TestHost, made: NewApiToken): TokenClient => ({
  made,
  call: (method, path, body, { peer, headers = {} } = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const init = {
      method,
      headers: {
        authorization: `Bearer ${made.token}`,
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    };
    return host.request(path, init, peer);
  },
});
