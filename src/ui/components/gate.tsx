import type { ReactNode } from "react";
import { useSession } from "#ui/lib/session.ts";

/**
 * Holds the application back until it is known who is signed in. Pages from the server bring that answer, so this is
 * seen only where the server could not tell.
 */
export const Gate = ({ children }: { children: ReactNode }) => {
  const { status } = useSession();
  if (status === "ready") return children;
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <p role="status" className="text-muted-foreground text-sm">
        Initializing system...
      </p>
    </main>
  );
};
