import { type ComponentProps, useState } from "react";
import { cn } from "#ui/lib/cn.ts";

type SwitchProps = Omit<ComponentProps<"button">, "role" | "type" | "value" | "children" | "onChange"> & {
  /** Whether it is on, where someone else decides. */
  checked?: boolean;
  /** How it starts, where it decides itself. */
  defaultChecked?: boolean;
  onCheckedChange?: (isOn: boolean) => void;
};

/**
 * On or off, immediately. It needs a name: a `Label` with its id, or `aria-label`. Space and Enter turn it; where colors are
 * forced by the system, track and thumb are drawn in the system's own.
 */
export const Switch = ({
  className,
  checked,
  defaultChecked = false,
  onCheckedChange,
  onClick,
  ...props
}: SwitchProps) => {
  const [own, setOwn] = useState(defaultChecked);
  const isOn = checked ?? own;
  const state = isOn ? "checked" : "unchecked";
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      data-slot="switch"
      data-state={state}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented) return;
        setOwn(!isOn);
        onCheckedChange?.(!isOn);
      }}
      className={cn(
        "relative inline-flex h-6 w-10 shrink-0 cursor-pointer items-center rounded-full border border-input bg-input px-0.5 transition-colors duration-150",
        // Fingers get 44 px, whatever the eye sees.
        "before:absolute before:top-1/2 before:left-1/2 before:size-11 before:-translate-1/2",
        "outline-none focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-offset-2 focus-visible:ring-offset-background",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        "disabled:cursor-not-allowed disabled:opacity-55",
        "forced-colors:border-[ButtonText] forced-colors:focus-visible:outline-2 forced-colors:focus-visible:outline-offset-2",
        className,
      )}
      {...props}
    >
      <span
        data-slot="switch-thumb"
        data-state={state}
        className="pointer-events-none block size-4.5 rounded-full bg-card shadow-xs transition-transform duration-150 data-[state=checked]:translate-x-4 forced-colors:bg-[ButtonText] forced-colors:forced-color-adjust-none forced-colors:data-[state=checked]:bg-[Highlight]"
      />
    </button>
  );
};
