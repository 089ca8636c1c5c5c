import type { Invocation } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatTable } from "#cli/table.ts";

/**
 * What a command does that no declaration can say: how it shows `Data`, what its operation answers, and what it tells beside a
 * list; or all of its work, where it has to decide what to call.
 */
export type View<Data> =
  | {
      text: (data: Data, style: Style) => string;
      /** How many there are and how to go on, for a person; with `isNone` the list itself says that there are none. */
      counted?: (data: Data) => string;
      isNone?: (data: Data) => boolean;
    }
  | { run: (invocation: Invocation, options: Record<string, unknown>) => Promise<void> };

/** Rows as a table; on a terminal `none` in place of one without rows. */
export const listText = <Row>(
  rows: readonly Row[],
  { columns, none, style }: { columns: readonly Column<Row>[]; none: string; style: Style },
): string => (rows.length === 0 && style.isTerminal ? none : formatTable(columns, rows, style));
