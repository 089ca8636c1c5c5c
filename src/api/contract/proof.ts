/**
 * What a session must have shown before the call: nothing, a sign-in or its confirmation within the last minutes, the
 * second factor within them, or the account's password in the request, however recent the sign-in is. Users without a second
 * factor need only a recent sign-in for `factor`; users with one need it for `password`, too. Tokens pass by their scope, and the
 * control socket always.
 */
export const proofs = ["none", "recent", "factor", "password"] as const;
export type Proof = (typeof proofs)[number];

/**
 * By what a sign-in can be finished, the most convenient first: a passkey, a code of an authenticator app, or a recovery code.
 */
export const factorWays = ["passkey", "code", "recovery"] as const;
export type FactorWay = (typeof factorWays)[number];

/** What `data` of `SECOND_FACTOR_REQUIRED` holds. */
export type FactorWanted = { ways: FactorWay[] };

/** The second factors themselves, by which users confirm that it's them. */
export type FactorProof = Exclude<FactorWay, "recovery">;

/** How users confirm that it's them: by a second factor, `password`, or signing in again with a provider, by its id. */
export type ConfirmWay = string;

/** What `data` of `REAUTHENTICATION_REQUIRED` holds. */
export type ProofWanted = { wanted: "recent" | "factor"; ways: ConfirmWay[] };

/** Marks a request that a page makes automatically while no one is at it: it doesn't count as a use of the session. */
export const backgroundHeader = "x-atrium-background";
