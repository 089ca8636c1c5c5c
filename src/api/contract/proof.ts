import type { ProviderName } from "./users.ts";

/**
 * What a session must have shown before the call: nothing, a sign-in or its confirmation within the last minutes, or a second
 * factor, which is judged as `recent`. Tokens pass by their scope, and the control socket always.
 */
export type Proof = "none" | "recent" | "factor";

/** By what somebody can show that they are there: the password, or signing in again with a provider. */
export type ConfirmWay = "password" | ProviderName;

/** What `data` of `REAUTHENTICATION_REQUIRED` holds. */
export type ProofWanted = { wanted: Exclude<Proof, "none">; ways: ConfirmWay[] };
