import { useCallback } from "react";
import type { PatternRow } from "../../backend/wire.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";

/**
 * Finds the pattern that a reason names by its number: `null` until patterns are known, and where there is none of that
 * number any more.
 */
export const usePatterns = (): ((rule: string) => PatternRow | null) => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.patterns(), [calls]);
  const { data } = useRuleLoad(load);
  return (rule) => data?.patterns.find(({ id }) => String(id) === rule) ?? null;
};
