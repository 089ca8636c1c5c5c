import { lazy, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { shieldId } from "#ui/lib/session-state.ts";

const ShieldMenu = lazy(async () => ({ default: (await import("./shield-menu.tsx")).ShieldMenu }));

/** Shows in the header, for as long as a confirmation counts, until when it does, and how to end it; else nothing. */
export const ProofShield = ({ untilMs }: { untilMs: number | null }) => {
  // Another page may have another header.
  useLocation();
  const [endedMs, setEndedMs] = useState<number | null>(null);
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setTimeout(() => setEndedMs(untilMs), Math.max(0, untilMs - Date.now()));
    return () => clearTimeout(timer);
  }, [untilMs]);
  const place = document.getElementById(shieldId);
  if (untilMs === null || untilMs === endedMs || place === null) return null;
  return createPortal(
    <Suspense fallback={null}>
      <ShieldMenu untilMs={untilMs} />
    </Suspense>,
    place,
  );
};
