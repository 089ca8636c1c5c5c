import {
  Card,
  cn,
  DataTable,
  failureText,
  KeepFocus,
  Link,
  ListPager,
  ListSearch,
  NoRows,
  pressableRow,
  RetryAlert,
  RowButton,
  Skeleton,
  useSearchParams,
} from "@atrium/plugin-sdk/ui";
import type { ComponentProps, ReactNode } from "react";
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

/** A search whose text stands in the address bar; another one begins at the first page. */
export const QuerySearch = ({ hint }: { hint: string }) => {
  const { params, set } = useQuery();
  return (
    <ListSearch
      search={params.get("search") ?? ""}
      hint={hint}
      maxLength={200}
      onSearch={(search) => set({ search, page: null })}
    />
  );
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
};

const shownFrom = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden", xl: "max-xl:hidden" };
const hiddenFrom = { sm: "sm:hidden", md: "md:hidden", lg: "lg:hidden", xl: "xl:hidden" };

type RowTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Where a press anywhere in a row leads, or what it does; `null` for nothing. */
  pressOf?: (row: Row) => string | (() => void) | null;
  lookOf?: (row: Row) => string;
  className?: string;
};

/** Rows in columns; what a narrow window has no room for goes below their headings. */
export const RowTable = <Row,>({
  columns,
  pressOf = () => null,
  lookOf = () => "",
  ...table
}: RowTableProps<Row>) => (
  <DataTable
    isWhole
    headLook="md:top-14"
    rowLook={(row: Row) => cn(pressOf(row) !== null && pressableRow, lookOf(row))}
    columns={columns.map(({ name, from, look, isHeading, cell, below, titleOf }) => ({
      name,
      look: cn(from && shownFrom[from], look),
      ...(isHeading === true && { isHeading, cellLook: "py-1.5" }),
      cell: (row: Row) =>
        isHeading === true ? (
          <>
            <Press press={pressOf(row)} title={titleOf?.(row)}>
              {cell(row)}
            </Press>
            {below?.(row)}
            <Folded row={row} columns={columns} />
          </>
        ) : (
          cell(row)
        ),
    }))}
    {...table}
  />
);

const Folded = <Row,>({ row, columns }: Pick<RowTableProps<Row>, "columns"> & { row: Row }) => (
  <span className="flex flex-wrap gap-x-3 font-normal text-[0.8125rem] text-muted-foreground empty:hidden">
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

type PressProps = { press: string | (() => void) | null; title: string | undefined; children: ReactNode };

const Press = ({ press, title, children }: PressProps) => {
  // What is cut can be pointed at.
  const cut = title !== undefined && "max-md:line-clamp-2 md:truncate";
  const look = cn("wrap-anywhere block min-h-6 max-w-full", cut);
  if (press === null) return <span className={look}>{children}</span>;
  if (typeof press === "string")
    return (
      <Link href={press} title={title} className={cn(look, linkLook)}>
        {children}
      </Link>
    );
  return (
    <RowButton aria-haspopup="dialog" title={title} onClick={press} className={look}>
      {children}
    </RowButton>
  );
};

const linkLook =
  "outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset";

type RowListProps<Row> = RowTableProps<Row> & {
  empty: ComponentProps<typeof NoRows>;
  /** The page of a longer list that the rows are, and how to go to another one. */
  pages?: Pick<ComponentProps<typeof ListPager>, "total" | "limit" | "offset" | "page" | "onPage">;
  /** What goes above the table. */
  top?: ReactNode;
  isLoading?: boolean;
  /** What goes below the rows. */
  children?: ReactNode;
};

/** A card with a table, or what it says without any row. */
export const RowList = <Row,>(props: RowListProps<Row>) => {
  const { empty, pages, top, isLoading = false, children, ...table } = props;
  return (
    <Card
      aria-busy={isLoading}
      className={cn("overflow-clip", isLoading && "opacity-70 transition-opacity delay-200")}
    >
      <KeepFocus of={table.rows}>
        {table.rows.length > 0 && top}
        {table.rows.length === 0 ? <NoRows {...empty} /> : <RowTable {...table} />}
        {children}
        {pages !== undefined && pages.total > 0 && <ListPager {...pages} rows={table.rows.length} />}
      </KeepFocus>
    </Card>
  );
};
