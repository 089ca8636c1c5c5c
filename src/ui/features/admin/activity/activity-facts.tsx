import type { Activity } from "#api/modules/activity/contract.ts";
import { formatDuration } from "#contract/activity.ts";
import { Copyable } from "../copyable.tsx";
import { Fact } from "../fact.tsx";
import { formatCount } from "../format.ts";
import { SeverityMark, StatusMark } from "./activity-marks.tsx";
import { fullTime } from "./activity-time.ts";
import { inWords } from "./activity-words.ts";
import { activityPageTexts, detailTexts as texts } from "./texts.ts";

const { columns } = activityPageTexts;

/** Everything that was recorded of an activity but its change. */
export const ActivityFacts = ({ activity }: { activity: Activity }) => {
  const copyable = [
    { name: texts.email, text: activity.userEmail },
    { name: texts.userId, text: activity.userId },
    { name: texts.ip, text: activity.ip },
    { name: texts.browser, text: activity.userAgent },
    { name: texts.requestId, text: activity.requestId },
    { name: texts.id, text: String(activity.id) },
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
      <Fact name={texts.time}>
        <time dateTime={activity.timestamp}>{fullTime(activity.timestamp)}</time>
      </Fact>
      <Fact name={columns.plugin}>{activity.pluginName}</Fact>
      <Fact name={columns.type}>{inWords(activity.type)}</Fact>
      <Fact name={columns.status}>
        <StatusMark status={activity.status} />
      </Fact>
      <Fact name={columns.severity}>
        <SeverityMark severity={activity.severity} />
      </Fact>
      <Fact name={columns.duration}>{formatDuration(activity.duration)}</Fact>
      {activity.occurrences > 1 && (
        <Fact name={texts.occurrences}>{texts.times(formatCount(activity.occurrences))}</Fact>
      )}
      <Fact name={texts.who}>{inWords(activity.actorKind)}</Fact>
      {copyable.map(
        ({ name, text }) =>
          text !== null && (
            <Fact key={name} name={name}>
              <Copyable name={name} text={text} isCode={name !== texts.email && name !== texts.browser} />
            </Fact>
          ),
      )}
    </dl>
  );
};
