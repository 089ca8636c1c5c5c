import type { ComponentProps, ReactNode } from "react";
import { cn } from "#ui/lib/cn.ts";

type TableProps = ComponentProps<"table"> & {
  /** Names the table, and the region that scrolls sideways on narrow screens. */
  label: string;
  /** It scrolls with the page instead of on its own, for tables that no window but a phone's is too narrow for. */
  isWhole?: boolean;
};

/** A data table with its own sideways scroll; the region takes focus so that the keyboard can scroll it. */
export const Table = ({ className, label, isWhole = false, ...props }: TableProps) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
    tabIndex={0}
    className={cn(
      "edge-shadows relative overflow-auto focus-visible:outline-ring",
      isWhole ? "scroll-mt-18 md:overflow-visible" : "md:max-h-[max(20rem,calc(100dvh-20rem))]",
    )}
  >
    <table aria-label={label} className={cn("w-full text-sm tabular-nums", className)} {...props} />
  </section>
);

type TableHeaderProps = ComponentProps<"thead"> & {
  /** Their headings, and how each looks. */
  columns: readonly { name: string; look?: string | undefined }[];
};

/** Heading row; it stays in sight while the table scrolls. */
export const TableHeader = ({ className, columns, ...props }: TableHeaderProps) => (
  <thead
    className={cn(
      "sticky top-0 z-10 bg-muted text-muted-foreground shadow-[inset_0_-1px_0_var(--border)]",
      className,
    )}
    {...props}
  >
    <tr>
      {columns.map(({ name, look }) => (
        <th
          key={name}
          scope="col"
          className={cn(
            "h-9 whitespace-nowrap px-3 text-left first:pl-4 last:pr-4 font-medium text-xs",
            look,
          )}
        >
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** The rows. */
export const TableBody = ({ className, ...props }: ComponentProps<"tbody">) => (
  <tbody className={cn("divide-y divide-border", className)} {...props} />
);

/** One row, 40 px high unless its cells need more. */
export const TableRow = ({ className, ...props }: ComponentProps<"tr">) => (
  <tr className={cn("h-10", className)} {...props} />
);

/** A column of a {@link DataTable}. */
export type Column<Row> = {
  /** Its heading. */
  name: string;
  /** How heading and cells look: what a narrow window has no room for is hidden. */
  look?: string;
  /** How its cells look besides. */
  cellLook?: string;
  /** Whether it says what a row is about, which makes its cells headings. */
  isHeading?: boolean;
  /** Of a cell: what is cut in it. */
  titleOf?: (row: Row) => string | undefined;
  cell: (row: Row) => ReactNode;
};

type DataTableProps<Row> = Omit<TableProps, "children"> & {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  rowLook?: string | ((row: Row) => string);
  headLook?: string;
};

/** A table whose columns say what they show of a row. */
export const DataTable = <Row,>({
  columns,
  rows,
  keyOf,
  rowLook = "",
  headLook,
  ...table
}: DataTableProps<Row>) => (
  <Table {...table}>
    <TableHeader columns={columns} className={headLook} />
    <TableBody>
      {rows.map((row) => (
        <TableRow key={keyOf(row)} className={typeof rowLook === "string" ? rowLook : rowLook(row)}>
          {columns.map(({ name, look, cellLook, isHeading = false, titleOf, cell }) =>
            isHeading ? (
              <th
                key={name}
                scope="row"
                className={cn(
                  "w-full max-w-0 px-3 text-left font-medium first:pl-4 last:pr-4",
                  look,
                  cellLook,
                )}
              >
                {cell(row)}
              </th>
            ) : (
              <TableCell key={name} className={cn(look, cellLook)} title={titleOf?.(row)}>
                {cell(row)}
              </TableCell>
            ),
          )}
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

/** A row that opens by a press anywhere in it has this look, and a {@link RowButton} in its heading. */
export const pressableRow = "relative hover:bg-muted/60";

/** The button that opens a row. */
export const RowButton = ({ className, ...props }: ComponentProps<"button">) => (
  <button
    type="button"
    className={cn(
      "cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset",
      className,
    )}
    {...props}
  />
);

/** A cell. */
export const TableCell = ({ className, ...props }: ComponentProps<"td">) => (
  <td className={cn("whitespace-nowrap px-3 py-2 first:pl-4 last:pr-4", className)} {...props} />
);
