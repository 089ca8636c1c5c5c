import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { formatMinute } from "./format.ts";

/** The state of a token in words; that of one whose owner is no administrator any more says so. */
export const tokenState = ({ state, owner }: ApiToken): string =>
  state === "live" && owner?.isActive === false ? "owner inactive" : state;

/** Whom a token acts for. */
export const tokenOwner = ({ owner }: ApiToken): string => owner?.email ?? "operator";

type Terms = Pick<ApiToken, "scopes" | "expiresAt" | "allowedNetworks" | "callsPerMinute">;

/** What a token is allowed, on one line. */
export const tokenTermsText = ({ scopes, expiresAt, allowedNetworks, callsPerMinute }: Terms): string =>
  [
    scopes.join(", "),
    expiresAt === null ? "never expires" : `until ${formatMinute(expiresAt)}`,
    allowedNetworks.length === 0 ? "from anywhere" : `from ${allowedNetworks.join(", ")}`,
    ...(callsPerMinute === null ? [] : [`${callsPerMinute} calls a minute`]),
  ].join("; ");
