import type { Contract } from "#contract/operation.ts";
import type { BeforeHooks, Context } from "./context.ts";
import type { AnyRuns, Runs } from "./implement.ts";
import type { PersonalData } from "./personal-data.ts";

/** What runs of a feature: the functions behind its operations, and whatever else the server calls. */
export type FeatureServer<C extends Contract> = AnyParts & { operations: Runs<C> };

/** One whose types are forgotten. */
export type AnyFeatureServer = AnyParts & { operations: AnyRuns };

/**
 * Work of one server at a time: every `everyMs` milliseconds, at least a minute apart, or at the times of a `cron` expression with five
 * fields, such as `0 7 * * 1` for Mondays at 7, in `timeZone` (`Europe/Berlin`; UTC unless given). Times that
 * passed while no server ran are made up for by one run.
 */
export type FeatureJob = { run: (ctx: Context) => Promise<void> } & (
  | { everyMs: number; cron?: never; timeZone?: never }
  | { cron: string; timeZone?: string; everyMs?: never }
);

type AnyParts = {
  /** What it holds of users; `none` says that a table that refers to users holds nothing about them. */
  personal?: PersonalData | "none";
  before?: Partial<BeforeHooks>;
  jobs?: { readonly [name: string]: FeatureJob };
};

/** Ties the functions of a feature to its contract. One that is missing, or of another type, doesn't compile. */
export const defineServer = <const C extends Contract>(
  _contract: C,
  server: FeatureServer<C>,
): FeatureServer<C> => server;
