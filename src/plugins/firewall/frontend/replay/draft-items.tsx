import { X } from "lucide-react";
import { replayTexts as texts } from "../rule-texts.ts";

type DraftItemsProps = { items: { name: string; detail: string }[]; onRemove: (index: number) => void };

/** What was added to a part of the draft, each to be taken out again. */
export const DraftItems = ({ items, onRemove }: DraftItemsProps) =>
  items.length > 0 && (
    <ul className="divide-y divide-border rounded-md border border-border">
      {items.map(({ name, detail }, index) => (
        <li key={`${name} ${detail}`} className="flex items-center gap-3 py-0.5 pr-1 pl-3 text-[0.8125rem]">
          <span className="wrap-anywhere min-w-0 grow font-mono">{name}</span>
          <span className="text-muted-foreground">{detail}</span>
          <button
            type="button"
            aria-label={texts.takeOut(name)}
            title={texts.takeOut(name)}
            onClick={() => onRemove(index)}
            className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:size-8"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
