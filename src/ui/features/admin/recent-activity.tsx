import { Link, useLocation } from "wouter";
import { DayBars } from "#ui/components/day-bars.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import type { DayCount } from "#ui/lib/day-count.ts";
import { overviewTexts as texts } from "./texts.ts";

/** How much was recorded each day, and the way to it. */
export const RecentActivity = ({ days }: { days: readonly DayCount[] }) => {
  const [, navigate] = useLocation();
  return (
    <Card aria-label={texts.week}>
      <CardHeader>
        <CardTitle>{texts.week}</CardTitle>
        <Link
          href="/admin/activity"
          className="whitespace-nowrap text-[0.8125rem] text-primary underline underline-offset-4"
        >
          {texts.showActivities}
        </Link>
      </CardHeader>
      <CardContent>
        <DayBars
          isSmall
          days={days}
          label={texts.week}
          onPick={(day) => navigate(`/admin/activity?startDate=${day}&endDate=${day}`)}
        />
      </CardContent>
    </Card>
  );
};
