import type { Actor } from "#api/core/context.ts";
import type { CreateTokenInput, NewApiToken } from "#api/modules/tokens/contract.ts";
import { createToken } from "#api/modules/tokens/create-token.ts";
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
  // Who is not looked up: a person's presence is the routes' affair.
  const actor: Actor =
    owner === null
      ? { kind: "operator" }
      : {
          kind: "token",
          token: { id: await parentOf(host), name: "parent", scopes: ["*"], callsPerMinute: null },
          owner,
        };
  const call = { requestId: "test", ip: "127.0.0.1", userAgent: null };
  const made = await createToken(
    { ...host.services, ...call, actor },
    { name: `token ${tokens}`, scopes: ["*"], expiresAt: null, ...input },
  );
  return clientOf(host, made);
};

/** A token by which others are made in somebody's name. */
const parentOf = async (host: TestHost): Promise<string> => {
  const known = parents.get(host);
  if (known !== undefined) return known;
  const context = { ...host.services, requestId: "test", ip: "127.0.0.1", userAgent: null };
  const input = { name: "parent", scopes: ["*" as const], expiresAt: null };
  const { id } = await createToken({ ...context, actor: { kind: "operator" } }, input);
  parents.set(host, id);
  return id;
};

const parents = new WeakMap<TestHost, string>();

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
