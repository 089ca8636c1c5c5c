import { UserRoundSearch } from "lucide-react";
import { usersTexts as texts } from "./texts.ts";

type NoUsersProps = { search: string; total: number };

/** Stands in the table's place when it would be empty: nobody yet, nobody that matches, or a page past the last. */
export const NoUsers = ({ search, total }: NoUsersProps) => {
  const { title, text } = wordsFor({ search, total });
  return (
    <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
      <UserRoundSearch aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
      <p className="font-medium text-sm">{title}</p>
      <p className="wrap-anywhere max-w-sm text-[0.8125rem] text-muted-foreground">{text}</p>
    </div>
  );
};

const wordsFor = ({ search, total }: NoUsersProps) => {
  if (total > 0) return { title: texts.beyond, text: texts.beyondText };
  if (search !== "") return { title: texts.noMatch, text: texts.noMatchText(search) };
  return { title: texts.none, text: texts.noneText };
};
