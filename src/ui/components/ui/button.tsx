import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { Spinner } from "./spinner.tsx";

/** Classes of a button, for links that look like one: `<Link className={buttonVariants({ variant: "outline" })}>`. */
export const buttonVariants = cva(
  [
    "inline-flex shrink-0 cursor-pointer select-none items-center justify-center gap-2 whitespace-nowrap rounded-md",
    "text-sm font-medium transition-[color,background-color,border-color,opacity] duration-150",
    "outline-none focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-offset-2 focus-visible:ring-offset-background",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
    "[&_svg]:pointer-events-none [&_svg]:size-4 [&_svg]:shrink-0",
  ],
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground hover:bg-primary-hover",
        outline: "border border-border bg-card text-foreground shadow-xs hover:bg-accent",
        link: "rounded-sm underline decoration-border underline-offset-4 hover:decoration-foreground",
        destructive: "bg-destructive text-destructive-foreground hover:bg-destructive-hover",
      },
      // Phones get targets of 44 px; a mouse gets the denser desktop heights.
      size: {
        default: "h-11 px-4 md:h-9",
        sm: "h-11 px-3 text-[0.8125rem] md:h-8",
        inline: "h-11 md:h-7",
        lg: "h-12 px-5 text-sm md:h-11",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Shows progress in place and refuses presses. */
    isBusy?: boolean;
  };

/** A button that says what it does. It is `type="button"` unless told otherwise. */
export const Button = ({
  className,
  variant,
  size,
  isBusy = false,
  disabled,
  type = "button",
  children,
  ...props
}: ButtonProps) => (
  <button
    type={type}
    className={cn(buttonVariants({ variant, size }), className)}
    disabled={disabled === true || isBusy}
    aria-busy={isBusy || undefined}
    {...props}
  >
    {isBusy && <Spinner />}
    {children}
  </button>
);
