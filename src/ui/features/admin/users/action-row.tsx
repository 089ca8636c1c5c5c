import { useId } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";

type ActionRowProps = {
  label: string;
  /** What it does, or why it cannot be done at the moment. */
  text: string;
  isRefused?: boolean;
  isBusy?: boolean;
  isDangerous?: boolean;
  /** The sentence for a try that failed. */
  problem?: string | null;
  onPress: () => void;
};

/** Something that can be done: what it means, its button, and how the last try failed. */
export const ActionRow = ({
  label,
  text,
  isRefused = false,
  isBusy = false,
  isDangerous = false,
  problem = null,
  onPress,
}: ActionRowProps) => {
  const id = useId();
  return (
    <li className="grid gap-3 px-3.5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p id={id} className="min-w-48 grow basis-0 text-pretty text-[0.8125rem] text-muted-foreground">
          {text}
        </p>
        <Button
          variant={isDangerous ? "destructive" : "outline"}
          size="sm"
          aria-describedby={id}
          // It keeps the focus, so that the reason can be heard.
          aria-disabled={isRefused || undefined}
          isBusy={isBusy}
          onClick={() => !isRefused && onPress()}
          className="max-sm:w-full"
        >
          {label}
        </Button>
      </div>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
    </li>
  );
};
