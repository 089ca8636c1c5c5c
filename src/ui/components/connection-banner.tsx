import { probe, useConnection } from "#ui/lib/connection.ts";

/** Says that the server is out of reach while it is, and goes by itself once it answers again. */
export const ConnectionBanner = () => {
  const { isAway } = useConnection();
  return (
    <div role="status" className="sticky top-0 z-50">
      {isAway && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning px-4 py-2 text-sm text-warning-foreground">
          <span>The server cannot be reached. This page tries again by itself.</span>
          <button
            type="button"
            onClick={() => void probe()}
            className="min-h-8 cursor-pointer font-medium underline underline-offset-4"
          >
            Try now
          </button>
        </div>
      )}
    </div>
  );
};
