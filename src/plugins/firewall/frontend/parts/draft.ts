import { useState } from "react";

/** What was changed of something and is not saved; it stands over what is saved. */
export const useDraft = <T extends object>(saved: T) => {
  const [draft, setDraft] = useState<Partial<T>>({});
  const changes = changesOf(saved, draft);
  return {
    value: { ...saved, ...draft },
    changes,
    isDirty: Object.keys(changes).length > 0,
    change: (more: Partial<T>) => setDraft((known) => ({ ...known, ...more })),
    discard: () => setDraft({}),
  };
};

/** Only what is another than what is saved: the order of a list does not matter, nor do spaces around a text. */
export const changesOf = <T extends object>(saved: T, draft: Partial<T>): Partial<T> => {
  const changes = { ...draft };
  for (const name in draft) if (plain(draft[name]) === plain(saved[name])) delete changes[name];
  return changes;
};

const plain = (value: unknown): string =>
  Array.isArray(value) ? JSON.stringify(value.toSorted()) : String(value).trim();
