import { Badge } from "@atrium/plugin-sdk/ui";
import type { Rating } from "../backend/wire.ts";
import { ratingTexts } from "./texts.ts";

const tones = {
  good: "success",
  "needs-improvement": "warning",
  poor: "danger",
  "too-few": "neutral",
} as const;

/** How visitors feel about a value, in colour and in words. */
export const RatingBadge = ({ rating }: { rating: Rating }) => (
  <Badge tone={tones[rating]}>{ratingTexts[rating]}</Badge>
);
