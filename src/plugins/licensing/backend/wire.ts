/**
 * How the installation is licensed. `community`: no key; `grace`: the license expired, but its grace period has not; `expired`
 * and `invalid`: the stored key is no longer valid, so the Community license applies.
 */
export type LicenceState = "community" | "active" | "grace" | "expired" | "invalid";

/** The public part, which the footer shows. `owner`: `null` under the Community license. */
export type PublicStatus = { plan: string; owner: string | null; state: LicenceState };

/** The content of a license; times are ISO instants. `expiresAt`, `graceEndsAt`: `null` for one that does not expire. */
export type LicenceFacts = {
  id: string;
  owner: string;
  plan: string;
  issuedAt: string;
  expiresAt: string | null;
  graceDays: number;
  graceEndsAt: string | null;
};

/** What admins see; `plan` and `owner` are those that apply now. The key itself is never returned. */
export type LicenceView = PublicStatus & {
  /** The license that was entered, even after it expired; `null` without one, and for one that cannot be read. */
  licence: LicenceFacts | null;
  enteredAt: string | null;
  /** Days, rounded up, until the license expires or, in the grace period, until that ends; `null` when neither applies. */
  daysLeft: number | null;
  /** A summary of the license in a sentence or two. */
  note: string;
  /** What is wrong with the issuer's key in the settings; `null` when nothing is. */
  issuerKeyProblem: string | null;
};

/** A response of the plugin's routes for admins. */
export type LicenceAnswer = { success: true; message?: string; data: LicenceView };
