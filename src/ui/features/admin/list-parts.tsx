import type { LucideIcon } from "lucide-react";
import { type ComponentType, type ReactNode, useCallback, useEffect, useRef } from "react";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { type Loaded, useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "./access-error.tsx";
import { partTexts } from "./texts.ts";

/** What {@link LoadedData} needs. */
export type LoadedDataProps<T> = {
  loaded: Loaded<T>;
  /** In the shape of what comes. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** What a load has brought: its shape until then, and above it why nothing, or nothing newer, came. */
export const LoadedData = <T,>({
  loaded: { data, error, reload },
  skeleton,
  children,
}: LoadedDataProps<T>) => (
  <>
    {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
    {data === null && error === null && skeleton}
    {data !== null && children(data)}
  </>
);

type EmptyListProps = {
  Icon: LucideIcon;
  title: string;
  text?: string | undefined;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Shown in place of a list that would be empty, and says why. */
export const EmptyList = ({ Icon, title, text, children }: EmptyListProps) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
    <Icon aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{title}</p>
    {text !== undefined && (
      <p className="wrap-anywhere max-w-sm text-[0.8125rem] text-muted-foreground">{text}</p>
    )}
    {children}
  </div>
);

type KeepFocusProps = {
  /** What the list shows; whenever it is another, the focus is looked after. */
  of: unknown;
  children: ReactNode;
};

/** A list whose rows may go: when the one with the focus has gone, the keyboard continues at the list, not at the page's top. */
export const KeepFocus = ({ of, children }: KeepFocusProps) => {
  const region = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    // Not by React's own events: it hears none of those that a dialog causes when it closes with its component.
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      // What is asked in a dialog is about a row, and its last button is disabled while the answer is awaited.
      wasInside.current = region.current?.contains(target) === true || target.closest("dialog") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const isLost = of !== null && wasInside.current && document.activeElement === document.body;
    if (isLost) region.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <div ref={region} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
};

type LazyPartProps<Props extends object> = {
  /** Fetches the part's code; the same function each time. */
  code: () => Promise<ComponentType<Props>>;
  props: Props;
  /** Shown in its place meanwhile. */
  fallback: ReactNode;
};

/** A part of the page whose code comes later, and can be asked for again where it did not; the rest of the page stays. */
export const LazyPart = <Props extends object>({ code, props, fallback }: LazyPartProps<Props>) => {
  // In an object of its own: a component is a function, which state would call.
  const load = useCallback(async () => ({ Part: await code() }), [code]);
  const { data, error, reload } = useLoad(load);
  if (data !== null) return <data.Part {...props} />;
  if (error === null) return fallback;
  return <RetryAlert onRetry={reload}>{partTexts.failed}</RetryAlert>;
};
