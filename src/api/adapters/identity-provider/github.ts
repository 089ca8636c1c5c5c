import { createOutbound } from "#api/adapters/outbound/create-outbound.ts";
import type { IdentityProvider } from "#api/core/context.ts";
import {
  converse,
  createOAuthClient,
  type OAuthRegistration,
  ProviderFault,
  readJson,
  readObject,
  textIn,
} from "./oauth-client.ts";

/** What GitHub, or a server of its kind, is spoken to with; addresses without slash at their end. */
export type GitHubOptions = {
  registration: OAuthRegistration;
  baseUrl: string;
  apiUrl: string;
  limitMs: number;
};

const scopes = ["read:user", "user:email"];

/** Sign-in with GitHub. Of a person's addresses only the primary one counts, as verified or not as GitHub says. */
export const createGitHub = ({
  registration,
  baseUrl,
  apiUrl,
  limitMs,
}: GitHubOptions): Pick<IdentityProvider, "authorizationUrl" | "identify"> => {
  const outbound = createOutbound({ deadlineMs: limitMs });
  const client = createOAuthClient(registration, outbound);

  const ask = (path: string, accessToken: string, signal: AbortSignal) =>
    outbound({
      url: `${apiUrl}${path}`,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${accessToken}`,
        "x-github-api-version": "2022-11-28",
      },
      signal,
    });

  return {
    authorizationUrl: (challenge) =>
      converse(limitMs, async () => {
        const url = await client.authorizationUrl(`${baseUrl}/login/oauth/authorize`, scopes, challenge);
        return url.href;
      }),
    identify: ({ code }, { codeVerifier }) =>
      converse(limitMs, async (signal) => {
        const endpoint = `${baseUrl}/login/oauth/access_token`;
        const accessToken = await client.exchange({ endpoint, code, codeVerifier, signal });
        const [user, emails] = await Promise.all([
          ask("/user", accessToken, signal),
          ask("/user/emails", accessToken, signal),
        ]);
        const person = readObject(user, "the user request");
        return {
          subject: subjectOf(person),
          name: textIn(person, "name") ?? textIn(person, "login"),
          ...primaryEmail(readJson(emails, "the emails request")),
        };
      }),
  };
};

// Names can be changed and taken over by someone else; the number cannot.
const subjectOf = (person: object): string => {
  const id: unknown = Reflect.get(person, "id");
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw new ProviderFault("the user request identifies no user");
  return String(id);
};

const primaryEmail = (emails: unknown): { email: string | null; isEmailVerified: boolean } => {
  if (!Array.isArray(emails)) throw new ProviderFault("the emails request did not return a list");
  const primary: unknown = emails.find((entry) => Reflect.get(Object(entry), "primary") === true);
  return {
    email: textIn(primary, "email"),
    isEmailVerified: Reflect.get(Object(primary), "verified") === true,
  };
};
