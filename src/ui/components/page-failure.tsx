type PageFailureProps = { title?: string; advice?: string; action?: string; onRetry: () => void };

/** Stands where a page could not be shown, with the way to try again. */
export const PageFailure = ({
  title = "This page could not be loaded",
  advice = "Its code did not arrive. Please check your connection and try again.",
  action = "Try again",
  onRetry,
}: PageFailureProps) => (
  <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-24 text-center">
    <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
    <p className="text-muted-foreground">{advice}</p>
    <button
      type="button"
      onClick={onRetry}
      className="mt-2 inline-flex h-11 cursor-pointer items-center rounded-md bg-primary px-5 font-medium text-primary-foreground text-sm hover:bg-primary-hover md:h-9"
    >
      {action}
    </button>
  </div>
);
