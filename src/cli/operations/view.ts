import type { Option } from "commander";
import type { Invocation } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatTable } from "#cli/table.ts";

/** An option of which a command reads what was typed in a way of its own. */
type Parsers = { readonly [option: string]: (option: Option) => unknown };

/**
 * What a command does that no declaration can say: how it shows `Data`, what its operation answers, and what it tells beside a
 * list; what it asks before, of what the operation answers that is read for that; what it makes of its `Options`; or all of its
 * work, where it has to decide what to call.
 */
export type View<Data, Asked = never, Options = Record<string, unknown>> = { parsers?: Parsers } & (
  | {
      text?: (data: Data, style: Style, from: { isServer: boolean }) => string;
      /** How many there are and how to go on, for a person; with `isNone` the list itself says that there are none. */
      counted?: (data: Data) => string;
      isNone?: (data: Data) => boolean;
      question?: (asked: Asked) => string;
      /** What the operation gets in place of the options, before anything is called. */
      input?: (invocation: Invocation, options: Options) => object | Promise<object>;
    }
  | { run: (invocation: Invocation, options: Options) => Promise<void> }
);

/** Rows as a table; on a terminal `none` in place of one without rows. */
export const listText = <Row>(
  rows: readonly Row[],
  { columns, none, style }: { columns: readonly Column<Row>[]; none: string; style: Style },
): string => (rows.length === 0 && style.isTerminal ? none : formatTable(columns, rows, style));
