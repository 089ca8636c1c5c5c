import { useId } from "react";
import { Button } from "#ui/components/ui/button.tsx";
import { Separator } from "#ui/components/ui/separator.tsx";
import { authScreenTexts as texts } from "./texts.ts";

/** Google and GitHub, shown disabled with the reason while the server offers neither. */
export const SocialButtons = () => {
  const reasonId = useId();
  return (
    <div className="mt-6 grid gap-4">
      <Separator label={texts.socialLabel} />
      <div className="grid grid-cols-2 gap-3">
        {["Google", "GitHub"].map((provider) => (
          <Button key={provider} variant="outline" disabled aria-describedby={reasonId}>
            {provider}
          </Button>
        ))}
      </div>
      <p id={reasonId} className="text-balance text-center text-muted-foreground text-[0.8125rem]">
        {texts.socialReason}
      </p>
    </div>
  );
};
