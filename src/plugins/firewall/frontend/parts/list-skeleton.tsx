import { Card, Skeleton } from "@atrium/plugin-sdk/ui";

/** A list's shape while its rows are on their way. */
export const ListSkeleton = ({ label }: { label: string }) => (
  <Card aria-busy="true" aria-label={label} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className="flex h-11 items-center gap-6 px-4">
        <Skeleton className="h-4 w-1/3" />
        <Skeleton className="h-4 w-1/5" />
        <Skeleton className="h-4 w-1/6" />
      </div>
    ))}
  </Card>
);
