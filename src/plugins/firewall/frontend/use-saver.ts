import { useRef } from "react";
import { useFirewall } from "./firewall-context.ts";
import { isConflict, isUnreachable } from "./refusals.ts";

/**
 * Sends changes of rules with the revision that they were seen at, and asks for the configuration afterwards. Where somebody
 * else was quicker the change is refused, their rules are loaded, and the next try is made in the sight of them.
 */
export const useSaver = () => {
  const { config, refresh } = useFirewall();
  return async <T>(send: (revision: number) => Promise<T>): Promise<T> => {
    try {
      const answer = await send(config.revision);
      // What was saved is saved: the next poll brings what this one could not.
      await refresh().catch(() => undefined);
      return answer;
    } catch (error) {
      if (isConflict(error)) await refresh().catch(() => undefined);
      // Whether it was saved all the same shows as soon as the server answers; until then the page tells how old it is.
      if (isUnreachable(error)) void refresh().catch(() => undefined);
      throw error;
    }
  };
};

/** As {@link useSaver}, for dialogs: what counts is the revision at which they were opened, until a conflict was seen. */
export const useDialogSaver = () => {
  const { config, refresh } = useFirewall();
  const seen = useRef(config.revision);
  return async <T>(send: (revision: number) => Promise<T>): Promise<T> => {
    try {
      const answer = await send(seen.current);
      await refresh().catch(() => undefined);
      return answer;
    } catch (error) {
      if (isConflict(error)) seen.current = (await refresh().catch(() => config)).revision;
      throw error;
    }
  };
};
