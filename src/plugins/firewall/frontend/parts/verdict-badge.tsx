import { Badge } from "@atrium/plugin-sdk/ui";
import type { Verdict } from "../../backend/wire.ts";
import { texts } from "../texts.ts";

const tones = {
  passed: "success",
  blocked: "danger",
  "would-block": "warning",
  limited: "danger",
  noticed: "neutral",
} as const;

/** What the firewall made of a request. */
export const VerdictBadge = ({ verdict }: { verdict: Verdict }) => (
  <Badge tone={tones[verdict]}>{texts.verdicts[verdict]}</Badge>
);
