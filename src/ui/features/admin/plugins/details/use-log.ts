import { useEffect, useState } from "react";
import type { PluginLogLine } from "#contract/plugins.ts";
import { client } from "#ui/lib/client.ts";

/** A plugin's log as far as it was read. */
export type ReadLog = { replica: string; lines: readonly PluginLogLine[] };

const pollMs = 2_000;
const mostLines = 1_000;

/** Reads a plugin's log and what comes after it, every two seconds while the page is in sight. */
export const useLog = (name: string): { log: ReadLog | null; hasFailed: boolean } => {
  const [log, setLog] = useState<ReadLog | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let known: ReadLog | null = null;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      try {
        const part = await linesBehind(name, known?.lines.at(-1)?.id ?? 0);
        // Another server, or the same one started anew, counts from the beginning.
        const isOther = known !== null && part.replica !== known.replica;
        const news = isOther ? await linesBehind(name, 0) : part;
        if (isOver) return;
        known = {
          replica: news.replica,
          lines: [...(isOther || known === null ? [] : known.lines), ...news.lines].slice(-mostLines),
        };
        setLog(known);
        setHasFailed(false);
      } catch (error) {
        console.warn("the log could not be read", error);
        if (!isOver) setHasFailed(true);
      }
    };
    const next = async () => {
      if (document.visibilityState === "visible") await read();
      if (!isOver) timer = setTimeout(() => void next(), pollMs);
    };
    void next();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name]);
  return { log, hasFailed };
};

const linesBehind = async (name: string, after: number): Promise<ReadLog> =>
  (await client.plugins.logs({ name, after })).data;
