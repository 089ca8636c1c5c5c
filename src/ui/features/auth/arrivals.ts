import { useCallback, useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { isBesidePage } from "#contract/page-paths.ts";
import type { User } from "#contract/users.ts";
import { ApiError } from "#ui/lib/api.ts";
import { keepPageToken, readPageToken } from "#ui/lib/page-token.ts";
import { refreshSession, setUser, useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";

/**
 * The `token` of the address that the page was opened with: `undefined` before the page is live, `null` when there is
 * none. It is taken out of the address bar immediately, so that it neither stays in the history nor is shared by accident;
 * a reload finds it again until `keepPageToken(null)`.
 */
export const useAddressToken = (): string | null | undefined => {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const url = new URL(window.location.href);
    const found = url.searchParams.get("token");
    if (found !== null) {
      url.searchParams.delete("token");
      window.history.replaceState(window.history.state, "", `${url.pathname}${url.search}`);
    }
    if (found) keepPageToken(found);
    // The effect may run twice, the second time on the cleaned address: what was found first stays.
    setToken((held) => held ?? (found || readPageToken()));
  }, []);
  return token;
};

/**
 * Asks about a link as soon as the page opens: `data` is the answer, `refusal` what the server says of a link that no longer
 * works. Both are `null` while nothing is known. `check` must be the same function at each render.
 */
export const useLinkCheck = <T>(
  token: string | null | undefined,
  check: (token: string) => Promise<T>,
): { data: T | null; refusal: string | null } => {
  const load = useCallback(async () => (typeof token === "string" ? check(token) : null), [token, check]);
  const { data, error } = useLoad(load);
  return {
    data,
    refusal: error instanceof ApiError && error.code === "TOKEN_INVALID" ? error.message : null,
  };
};

/**
 * Does what a link is good for: `send` uses its token, `onDone` is told the answer, unless a new password has to follow.
 */
export const useLinkAct = <T extends { resetToken?: string | undefined }>(
  send: () => Promise<{ data: T }>,
  onDone: (answer: T) => void,
) => {
  const [, navigate] = useLocation();
  return useAct(async () => {
    const { data } = await send();
    keepPageToken(null);
    // Whoever is signed in here may have another address now, or no session.
    void refreshSession();
    if (data.resetToken === undefined) return onDone(data);
    keepPageToken(data.resetToken, "/reset-password");
    navigate("/reset-password", { replace: true });
  });
};

/**
 * What the page before left for /verify, /forgot-password or /login in the history entry, so that no address shows in the
 * address bar. `signedUpAs` is the name of an account that was made a moment ago with what this browser had registered.
 */
type VerifyArrival = { email: string; message: string | null; signedUpAs: string | null };

/** Reads the history entry's state, which may be anything; what is missing is empty. */
export const readArrival = (state: unknown): VerifyArrival => {
  const read = (key: string): string | null => {
    const value: unknown = Reflect.get(Object(state), key);
    return typeof value === "string" ? value : null;
  };
  return { email: read("email") ?? "", message: read("message"), signedUpAs: read("signedUpAs") };
};

/**
 * Leads to `target(query)` as soon as someone is signed in: already on arrival, or by what the page just did. Where that is `null`
 * the page stays.
 */
export const useLeaveWhenSignedIn = (target: (search: string) => string | null): void => {
  const { user } = useSession();
  const leave = useLeave();
  const search = useSearch();
  const isSignedIn = user !== null;
  useEffect(() => {
    const path = isSignedIn ? target(search) : null;
    if (path !== null) leave(path);
  }, [isSignedIn, search, leave, target]);
};

/** Leads on to a page of this site; those beside the application are loaded. */
export const useLeave = (): ((path: string) => void) => {
  const [, navigate] = useLocation();
  return useCallback(
    (path) => {
      if (isBesidePage(path)) window.location.replace(path);
      else navigate(path, { replace: true });
    },
    [navigate],
  );
};

/** Takes over the user who has just signed in. */
export const enter = (user: User): void => {
  // It is their account: no one who finds this tab open later may set another password.
  keepPageToken(null, "/reset-password");
  setUser(user);
};
