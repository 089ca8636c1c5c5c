import type { ApiToken, NewApiToken, TokenScope } from "#contract/api-tokens.ts";
import { api } from "#ui/lib/api.ts";
import type { Proof } from "../use-presence.tsx";
import { withPaths } from "../with-paths.ts";

const tokens = "/api/admin/tokens";
type Message = { message: string };

/** What of a token can be changed; a limit that is no number is left for the server to complain about. */
export type TokenTerms = { name: string; allowedNetworks: string[]; callsPerMinute: number | string | null };

/** A token as it is asked for; `expiresAt` is ISO 8601, `null` for never. */
export type TokenWish = TokenTerms & { scopes: TokenScope[]; expiresAt: string | null };

/** Every token, the newest first. */
export const listTokens = async (): Promise<ApiToken[]> =>
  (await api.get<{ data: { tokens: ApiToken[] } }>(tokens)).data.tokens;

/** Makes a token; the answer is the only place where it stands. */
export const createToken = async (wish: TokenWish & Proof): Promise<NewApiToken> =>
  (await placed(api.post<{ data: NewApiToken }>(tokens, wish))).data;

/** Changes a token; resolves to what to tell, as the next two do. */
export const changeToken = async (id: string, terms: TokenTerms & Proof): Promise<string> =>
  (await placed(api.patch<Message>(`${tokens}/${id}`, terms))).message;

/** Ends a token for good. */
export const revokeToken = async (id: string, proof: Proof): Promise<string> =>
  (await api.post<Message>(`${tokens}/${id}/revoke`, proof)).message;

/** Takes one that can no longer be used off the list. */
export const removeToken = async (id: string): Promise<string> =>
  (await api.delete<Message>(`${tokens}/${id}`)).message;

// The server complains about each network by its place; a form has one field for all.
const placed = <T>(call: Promise<T>): Promise<T> => withPaths(call, (path) => path.split(".")[0] ?? "");
