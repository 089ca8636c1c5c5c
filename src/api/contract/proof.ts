import type { ProviderName } from "./users.ts";

/**
 * What a session must have shown before the call: nothing, a sign-in or its confirmation within the last minutes, the
 * second factor within them, or the account's password in the request, however recent the sign-in is. Users without a second
 * factor need only a recent sign-in for `factor`; users with one need it for `password`, too. Tokens pass by their scope, and the
 * control socket always.
 */
export const proofs = ["none", "recent", "factor", "password"] as const;
export type Proof = (typeof proofs)[number];

/** By what a sign-in can be finished: a code of an authenticator app, or a recovery code. */
export type FactorWay = "code" | "recovery";

/** What `data` of `SECOND_FACTOR_REQUIRED` holds. */
export type FactorWanted = { ways: FactorWay[] };

/** How users confirm that it's them: a code of their authenticator app, their password, or signing in again with a provider. */
export type ConfirmWay = "code" | "password" | ProviderName;

/** What `data` of `REAUTHENTICATION_REQUIRED` holds. */
export type ProofWanted = { wanted: "recent" | "factor"; ways: ConfirmWay[] };
