import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

const store = createStore<{ unread: number }>(() => ({ unread: 0 }));

/** Notes how many messages no one has read yet; called when the server has just told. */
export const noteUnread = (unread: number): void => store.setState({ unread });

/** How many messages no one has read yet, by what was heard last; 0 as long as nothing was. */
export const useUnread = (): number =>
  useSyncExternalStore(
    store.subscribe,
    () => store.getState().unread,
    () => 0,
  );
