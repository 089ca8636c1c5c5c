import { Badge, failureText, RetryAlert } from "@atrium/plugin-sdk/ui";
import type { Rating } from "../backend/wire.ts";
import { ratingTexts, texts } from "./texts.ts";

/** An error with a button to load again. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <RetryAlert onRetry={onRetry}>{failureText(error, texts.failed)}</RetryAlert>
);

const tones = {
  good: "success",
  "needs-improvement": "warning",
  poor: "danger",
  "too-few": "neutral",
} as const;

/** A rating, by color and text. */
export const RatingBadge = ({ rating }: { rating: Rating }) => (
  <Badge tone={tones[rating]}>{ratingTexts[rating]}</Badge>
);
