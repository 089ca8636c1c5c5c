import { useCallback, useEffect, useState } from "react";
import { ApiError } from "#ui/lib/api.ts";
import { keepPageToken, readPageToken } from "#ui/lib/page-token.ts";
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
