import { dayOf, today } from "#ui/lib/today.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";
import { legalTexts as texts } from "./texts.ts";

/**
 * The current date. Markup made ahead of time says "today"; the script in the page's head writes the date before anybody
 * reads it, and what it wrote is taken over as it stands.
 */
export const Today = () => {
  const isHydrated = useHydrated();
  const day = isHydrated ? dayOf(new Date(), document.documentElement.lang) : null;
  return (
    <time {...today.mark} dateTime={day?.iso} suppressHydrationWarning>
      {day?.text ?? texts.today}
    </time>
  );
};
