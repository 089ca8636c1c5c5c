import { Activity } from "lucide-react";
import { Button } from "#ui/components/ui/button.tsx";
import { activityPageTexts as texts } from "./texts.ts";

type NoActivitiesProps = {
  isBeyond: boolean;
  isNarrowed: boolean;
  onFirst: () => void;
  onShowAll: () => void;
};

/** Stands in the table's place when it would be empty: nothing yet, nothing that matches, or a page past the last. */
export const NoActivities = ({ isBeyond, isNarrowed, onFirst, onShowAll }: NoActivitiesProps) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
    <Activity aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{texts.none}</p>
    <p className="max-w-sm text-[0.8125rem] text-muted-foreground">{reason(isBeyond, isNarrowed)}</p>
    <div className="mt-3 flex flex-wrap justify-center gap-2 empty:hidden">
      {isBeyond && (
        <Button variant="outline" size="sm" onClick={onFirst}>
          {texts.toFirst}
        </Button>
      )}
      {isNarrowed && (
        <Button variant="outline" size="sm" onClick={onShowAll}>
          {texts.showAll}
        </Button>
      )}
    </div>
  </div>
);

const reason = (isBeyond: boolean, isNarrowed: boolean) => {
  if (isBeyond) return texts.beyondText;
  return isNarrowed ? texts.noMatchText : texts.noneText;
};
