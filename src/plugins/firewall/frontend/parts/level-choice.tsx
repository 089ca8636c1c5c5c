import { useId } from "react";
import type { Paranoia } from "../../backend/engine/engine-types.ts";
import { overviewTexts as texts } from "../texts.ts";

/** The levels, mildest first. */
export const paranoiaLevels = [1, 2, 3, 4] as const satisfies readonly Paranoia[];

type LevelChoiceProps = { level: Paranoia; onChange: (level: Paranoia) => void };

/** One of the four paranoia levels, each with what it means. */
export const LevelChoice = ({ level, onChange }: LevelChoiceProps) => {
  const id = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm leading-5">{texts.level}</legend>
      {paranoiaLevels.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer gap-3 rounded-md border border-border p-3 text-sm has-checked:border-primary has-checked:bg-primary/5"
        >
          <input
            type="radio"
            name={`${id}-level`}
            checked={level === choice}
            aria-describedby={`${id}-${choice}`}
            onChange={() => onChange(choice)}
            className="mt-0.5 size-4 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring"
          />
          <span className="grid gap-0.5">
            <span className="font-medium">{texts.levels[choice].name}</span>
            <span id={`${id}-${choice}`} className="text-[0.8125rem] text-muted-foreground">
              {texts.levels[choice].text}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
