import { type RefObject, useEffect } from "react";
import { useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";

/**
 * Fills in name and address of whoever is signed in, once that is known, into fields that are empty still: what was
 * typed before stays.
 */
export const usePrefill = (
  name: RefObject<HTMLInputElement | null>,
  email: RefObject<HTMLInputElement | null>,
): void => {
  const { user } = useSession();
  const reader = useHydrated() ? user : null;
  useEffect(() => {
    if (reader === null) return;
    fill(name.current, reader.name);
    fill(email.current, reader.email);
  }, [reader, name, email]);
};

const fill = (field: HTMLInputElement | null, text: string) => {
  if (field !== null && field.value === "") field.value = text;
};
