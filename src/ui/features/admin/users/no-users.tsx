import { UserRoundSearch } from "lucide-react";
import { Button } from "#ui/components/ui/button.tsx";

type NoUsersProps = {
  title: string;
  text?: string;
  /** The way back to all of them, where something hides them. */
  onShowAll?: { label: string; act: () => void } | undefined;
};

/** Stands in a list's place when it would be empty, and says why. */
export const NoUsers = ({ title, text, onShowAll }: NoUsersProps) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
    <UserRoundSearch aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{title}</p>
    {text !== undefined && (
      <p className="wrap-anywhere max-w-sm text-[0.8125rem] text-muted-foreground">{text}</p>
    )}
    {onShowAll !== undefined && (
      <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll.act}>
        {onShowAll.label}
      </Button>
    )}
  </div>
);
