import { Inbox } from "lucide-react";
import { Button } from "#ui/components/ui/button.tsx";
import { EmptyList } from "../empty-list.tsx";
import { messagesTexts as texts } from "./texts.ts";

type NoMessagesProps = { total: number; isNarrowed: boolean; onShowAll: () => void };

/** Stands in the table's place when it would be empty: nothing yet, nothing that matches, or a page past the last. */
export const NoMessages = ({ total, isNarrowed, onShowAll }: NoMessagesProps) => {
  const { title, text } = wordsFor(total, isNarrowed);
  return (
    <EmptyList Icon={Inbox} title={title} text={text}>
      {(isNarrowed || total > 0) && (
        <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll}>
          {texts.showAll}
        </Button>
      )}
    </EmptyList>
  );
};

const wordsFor = (total: number, isNarrowed: boolean) => {
  if (total > 0) return { title: texts.beyond, text: texts.beyondText };
  if (isNarrowed) return { title: texts.noMatch, text: texts.noMatchText };
  return { title: texts.none, text: texts.noneText };
};
