import { useCallback } from "react";
import type { PatternRow } from "../../backend/wire.ts";
import { useFirewall } from "../firewall-context.ts";
import { useRuleLoad } from "../use-rule-load.ts";

/** The pattern that a reason names; `null` until it is known, and where there is none of that number any more. */
export const usePattern = (rule: string): PatternRow | null => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.patterns(), [calls]);
  const { data } = useRuleLoad(load);
  return data?.patterns.find(({ id }) => String(id) === rule) ?? null;
};
