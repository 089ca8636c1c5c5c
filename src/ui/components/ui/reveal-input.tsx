import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { PlainInput } from "./input.tsx";

type RevealInputProps = ComponentProps<typeof PlainInput> & {
  /** What the button that shows what was typed says; without it there is none. */
  words: { show: string; hide: string } | undefined;
};

/** A control whose text is hidden unless revealed. */
export const RevealInput = ({ words, ...input }: RevealInputProps) => {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <PlainInput
        {...input}
        type={isShown ? "text" : "password"}
        className={words === undefined ? undefined : "pr-12"}
      />
      {words !== undefined && (
        <button
          type="button"
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset disabled:cursor-not-allowed md:w-9"
        >
          <Icon aria-hidden="true" className="size-4" />
          {/* Words, not a label of its own: anyone who looks for the field by its label finds one. */}
          <span className="sr-only">{isShown ? words.hide : words.show}</span>
        </button>
      )}
    </div>
  );
};
