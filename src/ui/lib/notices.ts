import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

export type NoticeTone = "success" | "error" | "warning" | "info";
/** Something that can be done about a notice by one press, which also takes it away. */
type NoticeAction = { label: string; run: () => void };
export type Notice = { id: number; tone: NoticeTone; message: string; action?: NoticeAction };

const mostAtOnce = 4;
const none: readonly Notice[] = [];
const store = createStore<{ notices: readonly Notice[] }>(() => ({ notices: none }));
let lastId = 0;

/** Shows a passing notice; it goes after five seconds unless someone is reading it. At most four are shown at a time. */
export const notify = (news: Omit<Notice, "id">): void => {
  lastId += 1;
  const notice = { ...news, id: lastId };
  store.setState(({ notices }) => ({ notices: [...notices, notice].slice(-mostAtOnce) }));
};

/** Takes a notice away. */
export const dismissNotice = (id: number): void =>
  store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));

/** The notices that stand at the moment, oldest first. */
export const currentNotices = (): readonly Notice[] => store.getState().notices;

/** {@link currentNotices}, for components. */
export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(store.subscribe, currentNotices, () => none);
