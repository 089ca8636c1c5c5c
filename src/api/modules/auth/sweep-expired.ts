import type { Services } from "#api/core/context.ts";
import { removeExpired } from "./store.ts";

/** Removes sessions, registrations, tokens and mail turns that have ended. Nothing that still counts is touched. */
export const sweepExpired = ({ db, clock }: Services): Promise<void> => removeExpired(db, clock.now());
