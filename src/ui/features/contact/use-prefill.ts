import { type RefObject, useEffect } from "react";
import { useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";

/**
 * Fills in name and address of whoever is signed in, once that is known, into those of the fields that are empty still:
 * what was typed before stays.
 */
export const usePrefill = (fields: RefObject<HTMLFieldSetElement | null>): void => {
  const { user } = useSession();
  const reader = useHydrated() ? user : null;
  useEffect(() => {
    if (reader === null) return;
    for (const name of ["name", "email"] as const) {
      const field = fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
      if (field?.value === "") field.value = reader[name];
    }
  }, [reader, fields]);
};
