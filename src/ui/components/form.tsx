import type { ComponentProps, ReactNode } from "react";
import { cn } from "#ui/lib/cn.ts";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog, type DialogProps } from "./ui/dialog.tsx";
import type { useForm } from "./ui/use-form.ts";

type FormState = Pick<ReturnType<typeof useForm>, "formProps" | "problem" | "isBusy">;

type FormProps = {
  /** Of {@link useForm}. */
  form: FormState;
  id?: string;
  /** What the button below the fields says; without it the form has buttons of its own. */
  action?: string;
  /** Whether that button is as wide as the form. */
  isWide?: boolean;
  /** Stands for the sentence about a failure, where it takes more than one. */
  alert?: ReactNode;
  /** Of the grid of fields. */
  className?: string;
  children: ReactNode;
};

/** Fields that are disabled while they are sent, below what is said of a failure that concerns none of them. */
export const Form = ({
  form: { formProps, problem, isBusy },
  id,
  action,
  isWide = false,
  alert,
  className,
  children,
}: FormProps) => (
  <form id={id} {...formProps}>
    <fieldset disabled={isBusy} className={cn("grid gap-5", className)}>
      {alert ?? (problem !== null && <Alert severity="error">{problem.message}</Alert>)}
      {children}
      {action !== undefined && (
        <Button
          type="submit"
          size={isWide ? "lg" : "default"}
          isBusy={isBusy}
          className={isWide ? "" : "sm:justify-self-start"}
        >
          {action}
        </Button>
      )}
    </fieldset>
  </form>
);

type FormDialogProps = Omit<DialogProps, "open" | "onOpenChange" | "actions"> & {
  form: FormState;
  onClose: () => void;
  /** What the button that sends the form says. */
  action: string;
  /** Whether something is lost by it. */
  isDangerous?: boolean;
};

/** A form in a dialog. Give `autoFocus` to the control that should be reached first. */
export const FormDialog = ({
  form,
  onClose,
  action,
  isDangerous = false,
  children,
  ...dialog
}: FormDialogProps) => (
  <Dialog open onOpenChange={onClose} {...dialog}>
    <Form form={form}>
      {children}
      <FormButtons onCancel={onClose} action={action} isBusy={form.isBusy} isDangerous={isDangerous} />
    </Form>
  </Dialog>
);

type FormButtonsProps = Pick<ComponentProps<typeof Button>, "isBusy" | "onClick" | "autoFocus"> & {
  onCancel: () => void;
  /** What the button that sends the form says, or that does `onClick`. */
  action: string;
  /** Whether something is lost by it. */
  isDangerous?: boolean;
  cancel?: string;
};

/** The last row of a form in a dialog: the way out, and the button that sends it. */
export const FormButtons = ({
  onCancel,
  action,
  isDangerous = false,
  cancel = "Cancel",
  ...button
}: FormButtonsProps) => (
  <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
    <Button variant="outline" onClick={onCancel}>
      {cancel}
    </Button>
    <Button
      type={button.onClick === undefined ? "submit" : "button"}
      variant={isDangerous ? "destructive" : "default"}
      {...button}
    >
      {action}
    </Button>
  </div>
);
