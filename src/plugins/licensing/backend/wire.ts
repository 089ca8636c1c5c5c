/**
 * How the installation is licensed. `community`: no key; `grace`: the licence ended, and its time of grace has not; `expired`
 * and `invalid`: there is a key that counts no longer, so that the Community licence holds.
 */
export type LicenceState = "community" | "active" | "grace" | "expired" | "invalid";

/** What everybody may know: what the footer says. `owner`: `null` for the Community licence. */
export type PublicStatus = { plan: string; owner: string | null; state: LicenceState };

/** What a licence says; times are ISO instants. `expiresAt`, `graceEndsAt`: `null` for one that does not end. */
export type LicenceFacts = {
  id: string;
  owner: string;
  plan: string;
  issuedAt: string;
  expiresAt: string | null;
  graceDays: number;
  graceEndsAt: string | null;
};

/** What admins see; `plan` and `owner` are those that hold now. The key itself is never told. */
export type LicenceView = PublicStatus & {
  /** The licence that was entered, also when it holds no longer; `null` without one, and for one that cannot be read. */
  licence: LicenceFacts | null;
  enteredAt: string | null;
  /** Whole days, begun ones counted, until the licence ends, or in its time of grace until that does; `null` when none runs. */
  daysLeft: number | null;
  /** What there is to say about it in a sentence or two. */
  note: string;
  /** What is wrong with the additional issuer's key in the settings; `null` when nothing is. */
  issuerKeyProblem: string | null;
};

/** An answer of the plugin's routes for admins. */
export type LicenceAnswer = { success: true; message?: string; data: LicenceView };
