import { CircleAlert } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { cn } from "#ui/lib/cn.ts";

type FieldControl = { id: string; describedBy: string | undefined; isInvalid: boolean };

const FieldContext = createContext<FieldControl | null>(null);

/** Attributes that tie a control to the {@link Field} around it: its id, its hint and error, whether it is invalid. */
export const useFieldControl = () => {
  const control = useContext(FieldContext);
  if (control === null) return {};
  return {
    id: control.id,
    "aria-describedby": control.describedBy,
    "aria-invalid": control.isInvalid || undefined,
  };
};

type FieldProps = {
  label: string;
  /** Of the control; made up unless given. */
  id?: string | undefined;
  hint?: ReactNode;
  /** What is wrong and how to fix it; `null` when nothing is. */
  error?: string | null | undefined;
  /** A link or button at the label's end. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** Label above, control, hint below, error under it; the control inside is wired to all three. */
export const Field = ({ label, id: givenId, hint, error = null, aside, className, children }: FieldProps) => {
  const ownId = useId();
  const id = givenId ?? ownId;
  const isInvalid = error !== null;
  const described = [isInvalid && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  const control = { id, describedBy: described.length > 0 ? described.join(" ") : undefined, isInvalid };
  return (
    <div className={cn("grid gap-2", className)}>
      <div className="flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>{label}</Label>
        {aside}
      </div>
      <FieldContext value={control}>{children}</FieldContext>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground leading-5">
          {hint}
        </p>
      )}
      {isInvalid && (
        <p id={`${id}-error`} className="flex gap-1.5 text-[0.8125rem] text-destructive leading-5">
          <CircleAlert aria-hidden="true" className="mt-[3px] size-3.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
};

type LabelProps = ComponentProps<"label"> & { htmlFor: string };

/** The name of a control, above it. */
export const Label = ({ className, htmlFor, children, ...props }: LabelProps) => (
  <label htmlFor={htmlFor} className={cn("font-medium text-sm leading-5", className)} {...props}>
    {children}
  </label>
);
