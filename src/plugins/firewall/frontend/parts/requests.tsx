import { Badge, formatDateTime } from "@atrium/plugin-sdk/ui";
import type { Verdict } from "../../backend/wire.ts";
import { texts } from "../texts.ts";

const tones = {
  blocked: "danger",
  limited: "danger",
  "would-block": "warning",
  noticed: "neutral",
  passed: "success",
} as const;

/** What the firewall made of a request. */
export const VerdictBadge = ({ verdict }: { verdict: Verdict }) => (
  <Badge tone={tones[verdict]}>{texts.verdicts[verdict]}</Badge>
);

/** A verdict that is named in an address; `null` for none, and for what is none. */
export const readVerdict = (text: string | null): Verdict | null =>
  text !== null && Object.hasOwn(tones, text) ? (text as Verdict) : null;

/** Where a request came from. */
export const originOf = ({ address, country }: { address: string; country: string | null }): string =>
  country === null ? address : `${address} (${country})`;

const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of the server with its instants as the page writes all times. */
export const withLocalTimes = (sentence: string): string => sentence.replaceAll(instant, formatDateTime);
