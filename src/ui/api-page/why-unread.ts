import { tryAgainIn } from "#contract/relative-time.ts";
import { apiPageTexts as texts } from "./texts.ts";

/** Why the description could not be read, and what to do; `null` stands for an answer that never came. */
export const whyUnread = (answer: Pick<Response, "status" | "headers"> | null): string => {
  if (answer?.status !== 429) return texts.failed;
  const waitS = Number(answer.headers.get("retry-after"));
  return `${texts.tooMany} ${waitS > 0 ? tryAgainIn(waitS) : texts.later}`;
};
