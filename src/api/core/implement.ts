import type { CallCookies } from "#api/door/exchange.ts";
import type { BytesDownload, Download } from "#api/modules/download.ts";
import type { AnswerOf, Contract, InputOf, Operation } from "#contract/operation.ts";
import type { Context } from "./context.ts";
import type { OwnPlan } from "./dry-run.ts";

/** What the function behind an operation resolves to: data, the message of a change with its data, the fields of its envelope, the bare answer, or a file. */
type OutcomeOf<O> = O extends { responds: "file" }
  ? Download | BytesDownload
  : O extends { responds: "data" | "fields" | "bare" }
    ? AnswerOf<O>
    : AnswerOf<O> extends undefined
      ? { message: string }
      : { message: string; data: AnswerOf<O> };

/** The cookies of the request, to read, replace and remove. */
export type Browser = Omit<CallCookies, "toSend">;

/** The function behind an operation. */
type Run<O> = (ctx: Context, input: InputOf<O>, browser: Browser) => Promise<OutcomeOf<O>>;

/** The function behind an operation with its plan, which a dry run asks instead: for what no rollback undoes. It changes nothing. */
type Planned<O> = { run: Run<O>; plan: (ctx: Context, input: InputOf<O>) => Promise<OwnPlan> };

/** The functions behind the operations of a contract. */
export type Runs<C extends Contract> = { readonly [Name in keyof C]: Run<C[Name]> | Planned<C[Name]> };

// They were checked against their operations; a list of many forgets what each takes.
type AnyRun = (ctx: Context, input: never, browser: Browser) => Promise<unknown>;
type AnyPlanned = { run: AnyRun; plan: (ctx: Context, input: never) => Promise<OwnPlan> };

/** The same, without what each takes and resolves to. */
export type AnyRuns = { readonly [name: string]: AnyRun | AnyPlanned };

/** An operation with the function behind it. `id` is its name in the API's document: `contact.list`. */
export type Implemented = { id: string; operation: Operation } & Omit<AnyPlanned, "plan"> &
  Partial<AnyPlanned>;

/** Ties each operation of a contract to the function behind it. One that is missing, or of another type, does not compile. */
export const implement = <const C extends Contract>(
  module: string,
  contract: C,
  runs: Runs<C>,
): readonly Implemented[] => tie(module, contract, runs);

/** The same for operations whose types were compared before. */
export const tie = (module: string, contract: Contract, runs: AnyRuns): readonly Implemented[] =>
  Object.entries(contract).flatMap(([name, operation]) => {
    const run = runs[name];
    if (run === undefined) return [];
    return [{ id: `${module}.${name}`, operation, ...(typeof run === "function" ? { run } : run) }];
  });
