import type { ProviderName } from "./users.ts";

/**
 * What a session must have shown before the call: nothing, a sign-in or its confirmation within the last minutes, a second
 * factor, which is judged as `recent`, or the account's password in the request, however recent the sign-in is. Tokens pass by
 * their scope, and the control socket always.
 */
export const proofs = ["none", "recent", "factor", "password"] as const;
export type Proof = (typeof proofs)[number];

/** By what a sign-in can be finished: a code of an authenticator app, or a recovery code. */
export type FactorWay = "code" | "recovery";

/** What `data` of `SECOND_FACTOR_REQUIRED` holds. */
export type FactorWanted = { ways: FactorWay[] };

/** By what someone can show that they are there: the password, or signing in again with a provider. */
export type ConfirmWay = "password" | ProviderName;

/** What `data` of `REAUTHENTICATION_REQUIRED` holds. */
export type ProofWanted = { wanted: "recent"; ways: ConfirmWay[] };
