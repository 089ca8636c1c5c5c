import {
  Card,
  cn,
  EmptyState,
  failureText,
  Link,
  RetryAlert,
  Skeleton,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
  useSearchParams,
} from "@atrium/plugin-sdk/ui";
import { type ComponentProps, memo, type ReactNode } from "react";
import { isUnreachable } from "../calls.ts";
import { texts } from "../texts.ts";

/** What is shown of a list stands in the address bar: reads its query, and changes some of it; empty texts are left out. */
export const useQuery = () => {
  const [params, setParams] = useSearchParams();
  /** A step is one that the browser goes back to. */
  const set = (change: Record<string, string | null>, isStep = false) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change))
          if (value === null || value === "") next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: !isStep },
    );
  return { params, set };
};

/** Says why something did not come, and offers another try. */
export const LoadAlert = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <RetryAlert onRetry={onRetry}>
    {isUnreachable(error) ? texts.noAnswer : failureText(error, texts.loadFailed)}
  </RetryAlert>
);

type ListedProps<T> = {
  /** As loaded by `useLoad`. */
  of: { data: T | null; error: unknown; reload: () => void };
  label: string;
  children: (data: T) => ReactNode;
};

/** What was loaded, or its shape until it comes, and why it did not. */
export const Listed = <T,>({ of: { data, error, reload }, label, children }: ListedProps<T>) => (
  <>
    {data === null && error === null && (
      <Card aria-busy="true" aria-label={label} className="divide-y divide-border">
        {["a", "b", "c", "d", "e", "f"].map((row) => (
          <div key={row} className="flex h-11 items-center gap-6 px-4">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4 w-1/5" />
            <Skeleton className="h-4 w-1/6" />
          </div>
        ))}
      </Card>
    )}
    {error !== null && <LoadAlert error={error} onRetry={reload} />}
    {data !== null && children(data)}
  </>
);

/** A column of a table. */
export type Column<Row> = {
  name: string;
  cell: (row: Row) => ReactNode;
  /** The narrowest window that it is shown in. */
  from?: keyof typeof shownFrom;
  /** Whether narrower windows have its cells below the row's heading. */
  folds?: boolean;
  /** Whether its cells are the headings of rows, which is so of one column. */
  isHeading?: boolean;
  /** What goes below a heading in every window. */
  below?: (row: Row) => ReactNode;
  /** The whole of a heading that may be cut. */
  titleOf?: (row: Row) => string;
  look?: string;
  /** Of its name alone. */
  headLook?: string;
};

const shownFrom = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden", xl: "max-xl:hidden" };
const hiddenFrom = { sm: "sm:hidden", md: "md:hidden", lg: "lg:hidden", xl: "xl:hidden" };

type RowTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Where a press anywhere in a row leads, or what it does; the same each time for the same row. */
  pressOf?: (row: Row) => string | (() => void) | null;
  lookOf?: (row: Row) => string;
  className?: string;
};

/** Rows in columns; what a narrow window has no room for goes below their headings. */
export const RowTable = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  pressOf = () => null,
  lookOf = () => "",
  className,
}: RowTableProps<Row>) => (
  <Table isWhole label={label} className={cn(className)}>
    <TableHeader
      className="md:top-14"
      columns={columns.map(({ name, from, look, headLook }) => ({
        name,
        look: cn(from && shownFrom[from], look, headLook),
      }))}
    />
    <TableBody>
      {rows.map((row) => (
        <KeptRow key={keyOf(row)} row={row} columns={columns} press={pressOf(row)} look={lookOf(row)} />
      ))}
    </TableBody>
  </Table>
);

type RowProps<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  press: string | (() => void) | null;
  look: string;
};

const TableLine = <Row,>({ row, columns, press, look }: RowProps<Row>) => (
  <TableRow className={cn(press !== null && "relative hover:bg-muted/60", look)}>
    {columns.map((column) => {
      const looks = cn(column.from && shownFrom[column.from], column.look);
      if (!column.isHeading)
        return (
          <TableCell key={column.name} className={looks}>
            {column.cell(row)}
          </TableCell>
        );
      return (
        <th
          key={column.name}
          scope="row"
          className={cn("w-full max-w-0 px-3 py-1.5 text-left font-medium first:pl-4", looks)}
        >
          <Press press={press} title={column.titleOf?.(row)}>
            {column.cell(row)}
          </Press>
          {column.below?.(row)}
          <Folded row={row} columns={columns} />
        </th>
      );
    })}
  </TableRow>
);

// A row never changes: hundreds of them need not be made again with each that comes.
const KeptRow = memo(
  TableLine,
  (before, after) =>
    before.row === after.row && before.columns === after.columns && before.look === after.look,
) as typeof TableLine;

const Folded = <Row,>({ row, columns }: Pick<RowProps<Row>, "row" | "columns">) => (
  <span className="flex flex-wrap gap-x-3 font-normal font-sans text-[0.8125rem] text-muted-foreground empty:hidden">
    {columns.map(
      ({ name, from, folds, cell }) =>
        from !== undefined &&
        folds && (
          <span key={name} className={cn("wrap-anywhere min-w-0", hiddenFrom[from])}>
            {cell(row)}
          </span>
        ),
    )}
  </span>
);

const pressLook =
  "wrap-anywhere block min-h-6 max-w-full cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset";

type PressProps = { press: RowProps<unknown>["press"]; title: string | undefined; children: ReactNode };

const Press = ({ press, title, children }: PressProps) => {
  // What is cut can be pointed at.
  const cut = title !== undefined && "max-md:line-clamp-2 md:truncate";
  if (press === null) return <span className="wrap-anywhere block">{children}</span>;
  if (typeof press === "string")
    return (
      <Link href={press} title={title} className={cn(pressLook, cut)}>
        {children}
      </Link>
    );
  return (
    <button type="button" aria-haspopup="dialog" title={title} onClick={press} className={cn(pressLook, cut)}>
      {children}
    </button>
  );
};

type RowListProps<Row> = RowTableProps<Row> & {
  empty: ComponentProps<typeof EmptyState>;
  /** What goes above the table. */
  top?: ReactNode;
  isLoading?: boolean;
  /** What goes below the rows. */
  children?: ReactNode;
};

/** A card with a table, or what it says without any row. */
export const RowList = <Row,>({ empty, top, isLoading = false, children, ...table }: RowListProps<Row>) => (
  <Card
    aria-busy={isLoading}
    className={cn("overflow-clip", isLoading && "opacity-70 transition-opacity delay-200")}
  >
    {table.rows.length > 0 && top}
    {table.rows.length === 0 ? <EmptyState {...empty} /> : <RowTable {...table} />}
    {children}
  </Card>
);
