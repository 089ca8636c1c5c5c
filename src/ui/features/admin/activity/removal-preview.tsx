import { useCallback } from "react";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatCount, formatDate } from "../format.ts";
import { cleanupTexts as texts } from "./texts.ts";

const dayMs = 86_400_000;

/** Says how many activities a clean-up of what is older than so many days removes, and from before which date. */
export const RemovalPreview = ({ days }: { days: number | null }) => (
  <span aria-live="polite">{days !== null && <Removed days={days} />}</span>
);

const Removed = ({ days }: { days: number }) => {
  const load = useCallback(async () => {
    const moment = new Date(Date.now() - days * dayMs).toISOString();
    const { data } = await client.activity.list({ endDate: moment, limit: 1 });
    return { day: formatDate(moment), count: data.pagination.total };
  }, [days]);
  const { data, error, isLoading } = useLoad(load);
  if (error !== null) return texts.uncounted(formatDate(new Date(Date.now() - days * dayMs).toISOString()));
  if (data === null || isLoading) return texts.counting;
  const { day, count } = data;
  return count === 0 ? texts.removesNone(day) : texts.removes(formatCount(count), count === 1, day);
};
