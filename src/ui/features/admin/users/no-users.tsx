import { UserRoundSearch } from "lucide-react";
import { Button } from "#ui/components/ui/button.tsx";
import { EmptyList } from "../empty-list.tsx";

type NoUsersProps = {
  title: string;
  text?: string;
  /** The way back to all of them, where something hides them. */
  onShowAll?: { label: string; act: () => void } | undefined;
};

/** Stands in a list's place when it would be empty, and says why. */
export const NoUsers = ({ title, text, onShowAll }: NoUsersProps) => (
  <EmptyList Icon={UserRoundSearch} title={title} text={text}>
    {onShowAll !== undefined && (
      <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll.act}>
        {onShowAll.label}
      </Button>
    )}
  </EmptyList>
);
