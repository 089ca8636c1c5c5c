import type { Client } from "#cli/client/client.ts";
import type { Invocation } from "#cli/invocation.ts";
import type { Style } from "#cli/terminal/output.ts";
import { type Column, formatTable } from "#cli/terminal/table.ts";
import type { Readers } from "./declared-command.ts";

/**
 * What a command does that no declaration can say: how it shows `Data`, what its operation answers, what it asks before, and
 * what it makes of its `Options`; or all of its work, where it has to decide what to call. `Given` is what was typed, or for a
 * question what is read for that.
 */
export type View<Data, Given = never, Options = Record<string, unknown>> = {
  /** How words are read that are neither texts nor what the declaration says. */
  read?: Readers;
} & (
  | {
      text?: (data: Data, style: Style, from: { isServer: boolean }) => string;
      /** What is asked before, where it takes more than a field of what there is; nothing for `null`. `input` is what was typed. */
      question?: (given: Given, input: Options) => Question;
      /** The total and the option for the next page, for a terminal; with `isNone` the list itself says that there are none. */
      counted?: (data: Data, input: Given) => string;
      isNone?: (data: Data) => boolean;
      /** What is told of the answer's bounds, wherever it is not counted. */
      notes?: (data: Data, input: Given) => string[];
      /** What the operation gets in place of the options, before anything is called. */
      input?: (invocation: Invocation, options: Options) => object | Promise<object>;
    }
  | { run: (invocation: Invocation, options: Options, input: Given) => Promise<void> }
);

/** A question, fixed or made from the server's response. */
export type Question = string | null | ((client: Client) => Promise<string>);

/** Rows as a table; on a terminal `none` in place of one without rows. */
export const listText = <Row>(
  rows: readonly Row[],
  { columns, none, style }: { columns: readonly Column<Row>[]; none: string; style: Style },
): string => (rows.length === 0 && style.isTerminal ? none : formatTable(columns, rows, style));
